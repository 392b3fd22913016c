import CAfterlockShims
import CSystemd
import Glibc

/// An interface of an object that this process offers on a bus: what its methods answer and what its properties are.
///
/// Confined to the bus's thread; it outlives the connection. Its callbacks are formed in nonisolated code, since sd-bus calls
/// them with nothing of Swift's around them.
final class ServiceObject {
  /// A member, by the name that is asked for.
  enum Member: Sendable {
    /// Names, signatures and what is answered.
    case method(StaticString, takes: StaticString, gives: StaticString)
    case property(StaticString, StaticString)
  }

  let interface: String
  let path: String
  /// Gives what a method answers.
  private let answer: (_ method: String) -> [BusValue]
  /// Gives a property's value.
  private let value: (_ property: String) -> BusValue?
  fileprivate unowned let connection: BusConnection

  /// Offers it.
  init(
    _ interface: String, at path: String, _ members: [Member], on connection: BusConnection,
    answer: @escaping (_ method: String) -> [BusValue] = { _ in [] },
    value: @escaping (_ property: String) -> BusValue? = { _ in nil }
  ) throws(BusError) {
    self.interface = interface
    self.path = path
    self.connection = connection
    self.answer = answer
    self.value = value
    try connection.add(
      interface, at: path, Self.table(members), context: Unmanaged.passUnretained(self).toOpaque())
  }

  /// Never freed: sd-bus looks at it as long as any message keeps the connection.
  private static func table(_ members: [Member]) -> UnsafePointer<sd_bus_vtable> {
    let entries = members.map { member in
      switch member {
      case .method(let name, let takes, let gives):
        afl_bus_method(name.text, takes.text, gives.text, ("" as StaticString).text, serviceCall)
      case .property(let name, let type):
        afl_bus_property(
          name.text, type.text, serviceGet, nil, UInt64(SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE))
      }
    }
    let all = [afl_bus_vtable_start()] + entries + [afl_bus_vtable_end()]
    let table = UnsafeMutablePointer<sd_bus_vtable>.allocate(capacity: all.count)
    table.initialize(from: all, count: all.count)
    return UnsafePointer(table)
  }

  fileprivate func call(_ message: BusMessage) throws(BusError) {
    try connection.reply(to: message, answer(message.member))
  }

  fileprivate func get(_ name: String, into reply: BusMessage) throws(BusError) {
    guard let value = value(name) else {
      throw BusError("There is no such property.", name: "org.freedesktop.DBus.Error.UnknownProperty")
    }
    try reply.append(value)
  }
}

// What sd-bus calls, on the bus's thread, within `BusConnection.process`.

private func serviceCall(
  _ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?,
  _ failure: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
  guard let context else { return -EINVAL }
  return answer(message, failure) { message throws(BusError) in
    try Unmanaged<ServiceObject>.fromOpaque(context).takeUnretainedValue().call(message)
  }
}

private func serviceGet(
  _ bus: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ interface: UnsafePointer<CChar>?,
  _ property: UnsafePointer<CChar>?, _ reply: OpaquePointer?, _ context: UnsafeMutableRawPointer?,
  _ failure: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
  guard let property, let context else { return -EINVAL }
  let name = String(cString: property)
  return answer(reply, failure) { reply throws(BusError) in
    try Unmanaged<ServiceObject>.fromOpaque(context).takeUnretainedValue().get(name, into: reply)
  }
}

/// Runs `body`, and tells the bus what it threw.
func answer(
  _ message: OpaquePointer?, _ failure: UnsafeMutablePointer<sd_bus_error>?,
  _ body: (BusMessage) throws(BusError) -> Void
) -> Int32 {
  guard let message, let library = afl_sdbus_load() else { return -EINVAL }
  do throws(BusError) {
    try body(BusMessage(library: library, pointer: message))
    return 1
  } catch {
    return library.pointee.sd_bus_error_set(failure, error.busName, error.message)
  }
}

extension StaticString {
  /// The text with a NUL behind it; good for the life of the process.
  var text: UnsafePointer<CChar> { UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self) }
}
