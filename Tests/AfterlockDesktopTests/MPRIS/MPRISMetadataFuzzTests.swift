import AfterlockCore
import CAfterlockShims
import Foundation
import Testing

@testable import AfterlockDesktop

/// Whatever a file says of itself, what is sent is valid: by the specification's types, by sd-bus, and by a real bus, which
/// closes the connection of whoever sends it anything else.
@Suite("MPRIS metadata of whatever a file says")
struct MPRISMetadataFuzzTests {
  private static let types = [
    "mpris:trackid": "o", "mpris:length": "x", "mpris:artUrl": "s", "xesam:url": "s", "xesam:title": "s",
    "xesam:artist": "as", "xesam:album": "s", "xesam:albumArtist": "as", "xesam:composer": "as",
    "xesam:genre": "as",
    "xesam:comment": "as", "xesam:trackNumber": "i", "xesam:discNumber": "i", "xesam:contentCreated": "s",
  ]

  /// What is wrong with a map, by the specification; `nil` for nothing.
  static func fault(of map: BusValue) -> String? {
    guard case .properties(let properties) = map else { return "it is no map" }
    var seen: Set<String> = []
    for property in properties {
      guard seen.insert(property.name).inserted else { return "\(property.name) is there twice" }
      guard types[property.name] == property.value.signature else {
        return "\(property.name) has another type"
      }
      if let fault = fault(of: property.name, property.value) { return "\(property.name): \(fault)" }
    }
    let texts = properties.filter { $0.name.hasPrefix("xesam:") && $0.name != "xesam:url" }
    let count = texts.reduce(0) { $0 + $1.value.textBytes }
    if count > MPRISMetadata.mostText + 64 { return "\(count) bytes of texts" }
    return seen.isSuperset(of: ["mpris:trackid", "xesam:title"]) ? nil : "something is missing"
  }

  private static func fault(of name: String, _ value: BusValue) -> String? {
    switch (name, value) {
    case ("mpris:trackid", .objectPath(let path)):
      return path.wholeMatch(of: /\/org\/afterlock\/track\/[1-9][0-9]*/) == nil ? path : nil
    case ("mpris:length", .int64(let length)): return length < 0 ? "negative" : nil
    case ("xesam:url", .string(let address)):
      let isPlain = address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
      let isAddress = address.hasPrefix("file:///") || address.hasPrefix("http://")
      if address.utf8.count > 16_384 { return "\(address.utf8.count) bytes" }
      return isPlain && isAddress ? nil : address
    case ("xesam:contentCreated", .string(let date)): return isMoment(date) ? nil : date
    case (_, .string(let text)): return fault(of: text)
    case (_, .array(_, let texts)):
      if texts.isEmpty || texts.count > 16 { return "\(texts.count) values" }
      return texts.lazy.compactMap { text in
        guard case .string(let text) = text else { return "no text" }
        return fault(of: text)
      }.first
    default: return nil
    }
  }

  private static func fault(of text: String) -> String? {
    let refused = text.unicodeScalars.first {
      $0.value == 0 || (0xFDD0...0xFDEF).contains($0.value) || [0xFFFE, 0xFFFF].contains($0.value & 0xFFFF)
    }
    if let refused { return "U+\(String(refused.value, radix: 16))" }
    return text.utf8.count > 4_096 ? "\(text.utf8.count) bytes" : nil
  }

  /// Only an address that nobody can open is left out.
  private static func missingAddress(of map: BusValue, _ entry: QueueEntry) -> String? {
    guard case .properties(let properties) = map else { return "it is no map" }
    let isLeftOut = !properties.contains { $0.name == "xesam:url" }
    return isLeftOut == (MediaAddress.of(entry.location).utf8.count > 16_384) ? nil : "the address is missing"
  }

  /// Whether the C library's calendar knows the moment: it makes another one of a 31st of February.
  private static func isMoment(_ date: String) -> Bool {
    guard let match = date.wholeMatch(of: /(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z/) else { return false }
    let (year, month, day) = (Int32(match.1) ?? 0, Int32(match.2) ?? 0, Int32(match.3) ?? 0)
    var time = tm()
    (time.tm_year, time.tm_mon, time.tm_mday) = (year - 1_900, month - 1, day)
    timegm(&time)
    let isDay = time.tm_year == year - 1_900 && time.tm_mon == month - 1 && time.tm_mday == day
    return isDay && Int(match.4) ?? 99 < 24 && Int(match.5) ?? 99 < 60 && Int(match.6) ?? 99 <= 60
  }

  @Test func `faulty maps are found`() {
    func map(_ more: BusValue.Property...) -> BusValue {
      .properties(
        [
          .init("mpris:trackid", .objectPath("/org/afterlock/track/1")),
          .init("xesam:url", .string("file:///a")),
          .init("xesam:title", .string("a")),
        ] + more)
    }
    #expect(Self.fault(of: map()) == nil)
    #expect(Self.fault(of: .properties([])) == "something is missing")
    for property: BusValue.Property in [
      .init("xesam:genre", .string("Jazz")), .init("xesam:title", .string("b")),
      .init("mpris:length", .int64(-1)),
      .init("xesam:album", .string("a\0b")), .init("xesam:contentCreated", .string("2023-02-29T00:00:00Z")),
      .init("xesam:artist", .texts([])), .init("xesam:lyrics", .string("")),
      .init("xesam:album", .string(String(repeating: "a", count: 4_097))),
      .init("xesam:artist", .texts(Array(repeating: String(repeating: "a", count: 4_096), count: 17))),
    ] {
      #expect(Self.fault(of: map(property)) != nil, "\(property)")
    }
    let many = BusValue.texts(Array(repeating: String(repeating: "a", count: 4_096), count: 16))
    #expect(Self.fault(of: map(.init("xesam:artist", many))) == nil)
    let all = map(.init("xesam:artist", many), .init("xesam:genre", many))
    #expect(Self.fault(of: all)?.hasSuffix("bytes of texts") == true)
  }

  /// A bus of its own, and a connection to it.
  private func withConnection(_ body: @escaping @Sendable (BusConnection, _ address: String) throws -> Void)
    async throws
  {
    let bus = try RunningCommand(
      "dbus-daemon", ["--session", "--nofork", "--nopidfile", "--print-address=1"], limit: .seconds(1_800))
    defer { bus.send(signal: SIGKILL) }
    #expect(await bus.waitForOutput("\n"))
    let address = bus.textSoFar.trimmingCharacters(in: .whitespacesAndNewlines)
    // On a thread, since it takes long and never waits for anything but the bus.
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      Thread.detachNewThread {
        done.resume(
          with: Result {
            let connection = try BusConnection(address: address, description: "fuzz")
            defer { connection.close() }
            _ = try connection.uniqueName()
            try body(connection, address)
          })
      }
    }
  }

  private static func identity(_ connection: BusConnection) throws(BusError) -> [BusValue] {
    try connection.call(
      "GetNameOwner", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus", on: "org.freedesktop.DBus",
      [.string(try connection.uniqueName())])
  }

  /// `AFTERLOCK_TAGS=COUNT` tries more.
  @Test func `100,000 of them are valid, and a real bus takes each`() async throws {
    let count = ProcessInfo.processInfo.environment["AFTERLOCK_TAGS"].flatMap(UInt64.init) ?? 100_000
    try await withConnection { connection, address in
      let reader = try MessageReader(address: address)
      for seed in 1...max(count, 1) {
        var random = RandomTags(seed: seed)
        let entry = random.entry(id: seed)
        let map = MPRISMetadata.map(entry, random.info())
        if let fault = Self.fault(of: map) ?? Self.missingAddress(of: map, entry) {
          Issue.record("seed \(seed): \(fault)")
          return
        }
        // What sd-bus has written is what it reads.
        let back = try reader.roundTrip(map)
        guard back == [map] else {
          Issue.record("seed \(seed): \(map) came back as \(back)")
          return
        }
        try connection.emit("Tags", of: "org.afterlock.Test", at: "/org/afterlock", [map])
        // The bus has read all before its answer, and answers nobody who sent it something else.
        if seed.isMultiple(of: 500) { _ = try Self.identity(connection) }
      }
      _ = try Self.identity(connection)
    }
  }

  @Test func `a real bus closes the connection of whoever sends it something else`() async throws {
    try await withConnection { connection, _ in
      // In the middle of what is sent, so that the bus has to take it for a message.
      _ = try Self.identity(connection)
      _ = write(connection.descriptor, [UInt8](repeating: 0x6C, count: 64), 64)
      #expect(throws: BusError.self) { try Self.identity(connection) }
    }
  }
}

/// Reads back what a message was filled with, by two functions of sd-bus that the player has no use for.
///
/// Used on one thread.
private final class MessageReader {
  private typealias Seal = @convention(c) (OpaquePointer, UInt64, UInt64) -> Int32
  private typealias Rewind = @convention(c) (OpaquePointer, Int32) -> Int32
  private let seal: Seal
  private let rewind: Rewind
  private let library: SDBus
  /// A message belongs to a connection, if only one that never sends it.
  private var bus: OpaquePointer?

  init(address: String) throws {
    library = try BusLibrary.load()
    let handle = dlopen("libsystemd.so.0", RTLD_LAZY)
    seal = unsafeBitCast(try #require(dlsym(handle, "sd_bus_message_seal")), to: Seal.self)
    rewind = unsafeBitCast(try #require(dlsym(handle, "sd_bus_message_rewind")), to: Rewind.self)
    try #require(library.pointee.sd_bus_new(&bus) >= 0)
    try #require(library.pointee.sd_bus_set_address(bus, address) >= 0)
    try #require(library.pointee.sd_bus_start(bus) >= 0)
  }

  deinit { _ = library.pointee.sd_bus_close_unref(bus) }

  func roundTrip(_ value: BusValue) throws -> [BusValue] {
    var pointer: OpaquePointer?
    try #require(
      library.pointee.sd_bus_message_new_signal(bus, &pointer, "/org/afterlock", "org.afterlock.Test", "Tags")
        >= 0)
    let message = BusMessage(library: library, pointer: try #require(pointer))
    defer { _ = library.pointee.sd_bus_message_unref(pointer) }
    try message.append(value)
    try #require(seal(message.pointer, 1, 0) >= 0 && rewind(message.pointer, 1) >= 0)
    return try message.all()
  }
}
