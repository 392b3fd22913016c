import CAfterlockShims
import CSystemd

/// sd-bus's functions, loaded at the first use; the pointer is good for the life of the process.
typealias SDBus = UnsafePointer<afl_sdbus>

/// What went wrong with the bus, in words for a person.
struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The bus's own name of it, such as `org.freedesktop.DBus.Error.ServiceUnknown`; "" for an error of this side.
  let name: String
  let message: String
  var description: String { message }
  /// What the bus is to call it where it goes to a client.
  var busName: String { name.isEmpty ? Self.failed : name }

  static let failed = "org.freedesktop.DBus.Error.Failed"
  static let invalidArguments = "org.freedesktop.DBus.Error.InvalidArgs"
  static let tooMuch = "org.freedesktop.DBus.Error.LimitsExceeded"

  init(_ message: String, name: String = "") {
    self.message = message
    self.name = name
  }
}

enum BusLibrary {
  /// What to install when it is missing.
  static let package = "libsystemd0"

  /// Any thread.
  static func load() throws(BusError) -> SDBus {
    if let functions = afl_sdbus_load() { return functions }
    throw BusError(
      "sd-bus cannot be loaded (\(String(cString: afl_sdbus_load_error()))); install it with: apt install \(package)"
    )
  }

  /// Where a session bus listens, by the environment; `nil` when nothing says so.
  static func sessionAddress(_ environment: [String: String]) -> String? {
    if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return address }
    guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else { return nil }
    return "unix:path=" + folder.utf8.map(escaped).joined() + "/bus"
  }

  /// Where the system bus listens, by the environment or where it always does.
  static func systemAddress(_ environment: [String: String]) -> String {
    guard let address = environment["DBUS_SYSTEM_BUS_ADDRESS"], !address.isEmpty else {
      return "unix:path=/run/dbus/system_bus_socket"
    }
    return address
  }

  /// What a path may hold in an address as it is; the rest is written as `%XX`.
  private static func escaped(_ byte: UInt8) -> String {
    let scalar = Unicode.Scalar(byte)
    let isPlain = scalar.properties.isAlphabetic && byte < 0x80 || (0x30...0x39).contains(byte)
    if isPlain || "-_/.\\*".utf8.contains(byte) { return String(Character(scalar)) }
    let digits = String(byte, radix: 16)
    return "%" + (digits.utf8.count < 2 ? "0" : "") + digits
  }
}
