import AfterlockCore
import CAfterlockShims
import CPipeWire

/// Asks sinks and devices what they say of themselves: the server's list of objects has little more than their names.
///
/// Isolation: the loop's lock, as for ``DesktopWatch``, which owns it.
final class SelfDescriptions {
  /// What an object says, by its id: those of its properties that tell what it is (``SinkKind/telling``).
  enum Description {
    case sink(UInt32, [String: String])
    case device(UInt32, [String: String])
  }

  /// Takes a description, each time that it changes.
  var heard: (Description) -> Void = { _ in }
  private let tables: UnsafeMutablePointer<DescriptionTables>
  private var bound: [UInt32: Bound] = [:]

  private struct Bound {
    let proxy: OpaquePointer
    let hook: UnsafeMutablePointer<spa_hook>
  }

  init() {
    tables = .allocate(capacity: 1)
    tables.initialize(to: DescriptionTables())
  }

  deinit {
    forgetAll()
    tables.deallocate()
  }

  func ask(sink id: UInt32, of registry: OpaquePointer) {
    guard let hook = bind(id, afl_registry_bind_node(registry, id)) else { return }
    afl_node_add_listener(
      hook.proxy, hook.hook, &tables.pointee.node, Unmanaged.passUnretained(self).toOpaque())
  }

  func ask(device id: UInt32, of registry: OpaquePointer) {
    guard let hook = bind(id, afl_registry_bind_device(registry, id)) else { return }
    afl_device_add_listener(
      hook.proxy, hook.hook, &tables.pointee.device, Unmanaged.passUnretained(self).toOpaque())
  }

  private func bind(_ id: UInt32, _ proxy: OpaquePointer?) -> Bound? {
    guard let proxy else { return nil }
    forget(id)
    let hook = UnsafeMutablePointer<spa_hook>.allocate(capacity: 1)
    hook.initialize(to: spa_hook())
    let object = Bound(proxy: proxy, hook: hook)
    bound[id] = object
    return object
  }

  /// The object has gone, or is not asked any more.
  func forget(_ id: UInt32) {
    guard let object = bound.removeValue(forKey: id) else { return }
    afl_hook_remove(object.hook)
    pw_proxy_destroy(object.proxy)
    object.hook.deallocate()
  }

  func forgetAll() { for id in Array(bound.keys) { forget(id) } }
}

/// PipeWire keeps the addresses of these for as long as anything listens.
private struct DescriptionTables {
  var node = pw_node_events()
  var device = pw_device_events()

  init() {
    node.version = UInt32(PW_VERSION_NODE_EVENTS)
    node.info = nodeInfo
    device.version = UInt32(PW_VERSION_DEVICE_EVENTS)
    device.info = deviceInfo
  }
}

// Called on: the loop's thread, with its lock held.

private func nodeInfo(_ data: UnsafeMutableRawPointer?, _ info: UnsafePointer<pw_node_info>?) {
  guard let info, info.pointee.change_mask & UInt64(PW_NODE_CHANGE_MASK_PROPS) != 0 else { return }
  descriptions(data)?.heard(.sink(info.pointee.id, telling(info.pointee.props)))
}

private func deviceInfo(_ data: UnsafeMutableRawPointer?, _ info: UnsafePointer<pw_device_info>?) {
  guard let info, info.pointee.change_mask & UInt64(PW_DEVICE_CHANGE_MASK_PROPS) != 0 else { return }
  descriptions(data)?.heard(.device(info.pointee.id, telling(info.pointee.props)))
}

private func telling(_ properties: UnsafePointer<spa_dict>?) -> [String: String] {
  guard let properties else { return [:] }
  var values: [String: String] = [:]
  for key in SinkKind.telling {
    values[key] = spa_dict_lookup(properties, key).map { String(cString: $0) }
  }
  return values
}

private func descriptions(_ data: UnsafeMutableRawPointer?) -> SelfDescriptions? {
  data.map { Unmanaged<SelfDescriptions>.fromOpaque($0).takeUnretainedValue() }
}
