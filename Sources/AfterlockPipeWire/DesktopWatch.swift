import AfterlockCore
import AfterlockRealtime
import CAfterlockShims
import CPipeWire

/// Watches which sinks there are and which is the default one, over a connection of its own.
///
/// Of its own, since PipeWire 0.3.65 reads nothing from a client that asks for the session manager's metadata until the
/// session manager has answered, and nothing from the session manager that sets up a stream until the stream's client has.
/// Both at once, as when a sound server comes back, and neither is ever read again; a client without streams is not asked.
///
/// Isolation: the loop's lock, as for ``ServerConnection``, which owns it and hears of what it sees.
final class DesktopWatch {
  private let tables: UnsafeMutablePointer<WatchTables>
  private let target: String?
  private let isAwaited: (SinkDescription) -> Bool
  private weak var owner: ServerConnection?
  private var core: OpaquePointer?
  private var registry: OpaquePointer?
  private var metadata: OpaquePointer?
  private var metadataID: UInt32?
  /// The metadata is the session manager's, so where it comes a second time there is another one.
  private var hasHadManager = false
  private var sinks: SinkWatch
  private let descriptions = SelfDescriptions()
  private var lastSync: Int32 = 0
  private var isListed = false
  private var isMetadataSynced = false

  /// The sink that is waited for after the server's loss.
  var awaited: SinkDescription? { sinks.awaited }

  var isConnected: Bool { core != nil }

  /// Whether a session manager runs: what it knows of the default sink goes with it.
  var hasSessionManager: Bool { metadataID != nil }

  /// The sink that plays; `nil` when there is none.
  var sink: String? { sinks.current }

  /// Whether the streams have a sink and are not linked to it.
  var isUnlinked: Bool { sinks.isUnlinked }

  /// - Parameter isAwaited: whether a sink is to be waited for, and no other to be played to, when it was played to and the
  ///   server has come back without it.
  init(target: String?, isAwaited: @escaping (SinkDescription) -> Bool) {
    self.target = target
    self.isAwaited = isAwaited
    sinks = SinkWatch(target: target)
    tables = .allocate(capacity: 1)
    tables.initialize(to: WatchTables())
    descriptions.heard = { [unowned self] in described($0) }
  }

  deinit {
    disconnect()
    tables.deallocate()
  }

  /// Connects and asks for the list of objects.
  /// - Returns: whether the server was there.
  func connect(_ context: OpaquePointer, properties: [String: String], for owner: ServerConnection) -> Bool {
    guard let core = pw_context_connect(context, makeProperties(properties), 0) else { return false }
    self.core = core
    self.owner = owner
    let data = Unmanaged.passUnretained(self).toOpaque()
    afl_core_add_listener(core, &tables.pointee.coreHook, &tables.pointee.core, data)
    registry = afl_core_get_registry(core)
    if let registry {
      afl_registry_add_listener(registry, &tables.pointee.registryHook, &tables.pointee.registry, data)
    }
    lastSync = afl_core_sync(core, 0)
    return true
  }

  /// Lets go of the server and forgets what it had. Idempotent.
  /// - Parameter gone: the sink that was played to and went right before the server.
  func disconnect(awaiting gone: SinkDescription? = nil) {
    unbindMetadata()
    descriptions.forgetAll()
    afl_hook_remove(&tables.pointee.registryHook)
    if let registry { pw_proxy_destroy(registry) }
    registry = nil
    afl_hook_remove(&tables.pointee.coreHook)
    if let core { pw_core_disconnect(core) }
    core = nil
    let played = gone ?? sinks.lastPlayed
    sinks = SinkWatch(target: target, awaiting: played.flatMap { isAwaited($0) ? $0 : nil })
    isListed = false
    isMetadataSynced = false
    hasHadManager = false
  }

  private func unbindMetadata() {
    afl_hook_remove(&tables.pointee.metadataHook)
    if let metadata { pw_proxy_destroy(metadata) }
    metadata = nil
    metadataID = nil
  }

  /// The awaited sink has been waited for long enough: others count again.
  func stopAwaiting() { tell(sinks.stopAwaiting()) }

  /// Takes the ids of the streams' nodes.
  func setStreams(_ ids: Set<UInt32>) { tell(sinks.setStreams(ids)) }

  // MARK: What the server says

  fileprivate func coreDone(sequence: Int32) {
    guard let core, !isListed, sequence == lastSync else { return }
    if metadata != nil, !isMetadataSynced {
      // The name of the default sink comes one round trip after the list.
      isMetadataSynced = true
      lastSync = afl_core_sync(core, 0)
      return
    }
    isListed = true
    owner?.desktopListed()
  }

  fileprivate func coreError(id: UInt32, result: Int32) { owner?.coreError(id: id, result: result) }

  fileprivate func globalAdded(id: UInt32, type: String, properties: (String) -> String?) {
    if type == String(cString: afl_type_metadata()), properties("metadata.name") == "default",
      metadata == nil,
      let registry, let bound = afl_registry_bind_metadata(registry, id)
    {
      metadata = bound
      metadataID = id
      afl_metadata_add_listener(
        bound, &tables.pointee.metadataHook, &tables.pointee.metadata,
        Unmanaged.passUnretained(self).toOpaque())
      if hasHadManager { owner?.sessionManagerChanged() }
      hasHadManager = true
    }
    if type == String(cString: afl_type_link()),
      let output = properties("link.output.node").flatMap({ UInt32($0) }),
      let input = properties("link.input.node").flatMap({ UInt32($0) })
    {
      tell(sinks.addLink(id: id, from: output, to: input))
    }
    if type == String(cString: afl_type_device()), properties("media.class") == "Audio/Device", let registry {
      descriptions.ask(device: id, of: registry)
    }
    guard type == String(cString: afl_type_node()), properties("media.class") == "Audio/Sink",
      let name = properties("node.name")
    else { return }
    tell(sinks.add(id: id, name: name, device: properties("device.id").flatMap { UInt32($0) }))
    if let registry { descriptions.ask(sink: id, of: registry) }
  }

  private func described(_ object: SelfDescriptions.Description) {
    switch object {
    case .sink(let id, let properties): sinks.describe(sink: id, properties)
    case .device(let id, let properties): sinks.describe(device: id, properties)
    }
  }

  fileprivate func globalRemoved(id: UInt32) {
    if id == metadataID { unbindMetadata() }
    descriptions.forget(id)
    tell(sinks.remove(id: id))
  }

  fileprivate func metadataChanged(key: String?, value: String?) {
    if key == "default.audio.sink" { tell(sinks.setDefault(json: value)) }
  }

  private func tell(_ events: [AudioOutputEvent]) {
    for event in events { owner?.sinkEvent(event) }
    owner?.linksChanged()
  }
}

/// What the watch hears. PipeWire keeps the addresses of these for as long as anything listens.
private struct WatchTables {
  var core = pw_core_events()
  var registry = pw_registry_events()
  var metadata = pw_metadata_events()
  var coreHook = spa_hook()
  var registryHook = spa_hook()
  var metadataHook = spa_hook()

  init() {
    core.version = UInt32(PW_VERSION_CORE_EVENTS)
    core.done = watchDone
    core.error = watchError
    registry.version = UInt32(PW_VERSION_REGISTRY_EVENTS)
    registry.global = registryGlobal
    registry.global_remove = registryGlobalRemove
    metadata.version = UInt32(PW_VERSION_METADATA_EVENTS)
    metadata.property = metadataProperty
  }
}

// Called on: the loop's thread, with its lock held.

private func watchDone(_ data: UnsafeMutableRawPointer?, _ id: UInt32, _ sequence: Int32) {
  guard id == afl_id_core() else { return }
  watch(data)?.coreDone(sequence: sequence)
}

private func watchError(
  _ data: UnsafeMutableRawPointer?, _ id: UInt32, _ sequence: Int32, _ result: Int32,
  _ message: UnsafePointer<CChar>?
) {
  watch(data)?.coreError(id: id, result: result)
}

private func registryGlobal(
  _ data: UnsafeMutableRawPointer?, _ id: UInt32, _ permissions: UInt32, _ type: UnsafePointer<CChar>?,
  _ version: UInt32, _ properties: UnsafePointer<spa_dict>?
) {
  guard let type, let properties else { return }
  watch(data)?.globalAdded(id: id, type: String(cString: type)) { key in
    spa_dict_lookup(properties, key).map { String(cString: $0) }
  }
}

private func registryGlobalRemove(_ data: UnsafeMutableRawPointer?, _ id: UInt32) {
  watch(data)?.globalRemoved(id: id)
}

private func metadataProperty(
  _ data: UnsafeMutableRawPointer?, _ subject: UInt32, _ key: UnsafePointer<CChar>?,
  _ type: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?
) -> Int32 {
  watch(data)?.metadataChanged(
    key: key.map { String(cString: $0) }, value: value.map { String(cString: $0) })
  return 0
}

private func watch(_ data: UnsafeMutableRawPointer?) -> DesktopWatch? {
  data.map { Unmanaged<DesktopWatch>.fromOpaque($0).takeUnretainedValue() }
}
