import CAfterlockShims
import CSystemd

/// What sd-bus calls later: with the answer to a call, or with each signal of a kind.
///
/// Confined to the connection's thread; the connection keeps it alive.
final class BusHandler {
  private let library: SDBus
  private let take: (BusHandler, BusMessage?) -> Void
  /// sd-bus's side of it, set by whoever gives this to sd-bus.
  var slot: OpaquePointer?

  /// - Parameter take: gets the message; `nil` when the connection closes before there was one.
  init(library: SDBus, _ take: @escaping (BusHandler, BusMessage?) -> Void) {
    self.library = library
    self.take = take
  }

  deinit { letGo() }

  /// What sd-bus hands back to ``busHandlerCalled(_:_:_:)``.
  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// sd-bus does not call any more.
  func letGo() {
    guard let slot else { return }
    self.slot = nil
    _ = library.pointee.sd_bus_slot_unref(slot)
  }

  /// The connection is closed.
  func end() {
    letGo()
    take(self, nil)
  }

  fileprivate func call(_ message: OpaquePointer) {
    take(self, BusMessage(library: library, pointer: message))
  }
}

/// Called by sd-bus on the bus's thread, within `BusConnection.process`.
func busHandlerCalled(
  _ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?,
  _ failure: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
  guard let message, let context else { return 0 }
  Unmanaged<BusHandler>.fromOpaque(context).takeUnretainedValue().call(message)
  // Others may want the same signal.
  return 0
}
