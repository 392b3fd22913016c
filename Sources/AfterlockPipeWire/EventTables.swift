import CAfterlockShims
import CPipeWire

/// PipeWire keeps the addresses of these for as long as anything listens.
struct EventTables {
  var core = pw_core_events()
  var registry = pw_registry_events()
  var metadata = pw_metadata_events()
  var stream = pw_stream_events()
  var coreHook = spa_hook()
  var registryHook = spa_hook()
  var metadataHook = spa_hook()

  init() {
    core.version = UInt32(PW_VERSION_CORE_EVENTS)
    core.done = coreDone
    core.error = coreError
    registry.version = UInt32(PW_VERSION_REGISTRY_EVENTS)
    registry.global = registryGlobal
    registry.global_remove = registryGlobalRemove
    metadata.version = UInt32(PW_VERSION_METADATA_EVENTS)
    metadata.property = metadataProperty
    stream.version = UInt32(PW_VERSION_STREAM_EVENTS)
    stream.state_changed = streamStateChanged
    stream.control_info = streamControlInfo
    stream.io_changed = streamIOChanged
    stream.process = streamProcess
  }
}

// Called on: the loop's thread, with its lock held.

func connectionTimerFired(_ data: UnsafeMutableRawPointer?, _ expirations: UInt64) {
  connection(data)?.timerFired()
}

private func coreDone(_ data: UnsafeMutableRawPointer?, _ id: UInt32, _ sequence: Int32) {
  guard id == afl_id_core() else { return }
  connection(data)?.coreDone(sequence: sequence)
}

private func coreError(
  _ data: UnsafeMutableRawPointer?, _ id: UInt32, _ sequence: Int32, _ result: Int32,
  _ message: UnsafePointer<CChar>?
) {
  connection(data)?.coreError(id: id, result: result)
}

private func registryGlobal(
  _ data: UnsafeMutableRawPointer?, _ id: UInt32, _ permissions: UInt32, _ type: UnsafePointer<CChar>?,
  _ version: UInt32, _ properties: UnsafePointer<spa_dict>?
) {
  guard let type, let properties else { return }
  connection(data)?.globalAdded(id: id, type: String(cString: type)) { key in
    spa_dict_lookup(properties, key).map { String(cString: $0) }
  }
}

private func registryGlobalRemove(_ data: UnsafeMutableRawPointer?, _ id: UInt32) {
  connection(data)?.globalRemoved(id: id)
}

private func metadataProperty(
  _ data: UnsafeMutableRawPointer?, _ subject: UInt32, _ key: UnsafePointer<CChar>?,
  _ type: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?
) -> Int32 {
  connection(data)?.metadataChanged(
    key: key.map { String(cString: $0) }, value: value.map { String(cString: $0) })
  return 0
}

private func connection(_ data: UnsafeMutableRawPointer?) -> ServerConnection? {
  data.map { Unmanaged<ServerConnection>.fromOpaque($0).takeUnretainedValue() }
}
