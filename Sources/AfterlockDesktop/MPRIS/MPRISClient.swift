import AfterlockCore
import Foundation

/// Why another player could not be spoken to, in words for a person.
public struct RemotePlayerError: Error, Hashable, Sendable {
  /// What kind of failure it is.
  public enum Code: Hashable, Sendable {
    /// There is no session bus, or it does not answer.
    case noBus
    /// There is no such player.
    case noPlayer
    /// The player refuses, or does not answer.
    case refused
  }
  /// The kind of failure.
  public let code: Code
  /// A clause without a capital and a full stop.
  public let message: String

  /// A failure with its words.
  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }
}

/// How another player is.
public struct RemotePlayerStatus: Hashable, Sendable {
  /// `Playing`, `Paused` or `Stopped`.
  public var status = ""
  /// Title of the track; `nil` without one.
  public var title: String?
  /// Performers.
  public var artists: [String] = []
  /// Where it is in the track.
  public var position: Duration?
  /// How long the track is.
  public var length: Duration?
  /// The slider's position in percent.
  public var volumePercent: Double?
  /// The address of the picture.
  public var artwork: String?
  /// The track's path on the bus.
  var track: String?

  /// Nothing known.
  public init() {}
}

/// Speaks to players on the session bus.
///
/// Confined to the thread that makes it; every call waits for its answer, for some seconds at most.
public final class MPRISClient {
  private static let prefix = "org.mpris.MediaPlayer2."
  private static let path = "/org/mpris/MediaPlayer2"
  private static let player = "org.mpris.MediaPlayer2.Player"
  private static let properties = "org.freedesktop.DBus.Properties"

  private let bus: BusConnection
  /// The bus's name of the player that is spoken to.
  public private(set) var name = ""

  /// Connects and chooses the player.
  /// - Parameters:
  ///   - wanted: a name behind `org.mpris.MediaPlayer2.`; `nil` for the instance of this program that plays, or else the
  ///     first one.
  ///   - address: where the bus listens; `nil` goes by the environment.
  public init(_ wanted: String?, address: String? = nil) throws(RemotePlayerError) {
    guard let address = address ?? BusLibrary.sessionAddress(ProcessInfo.processInfo.environment) else {
      throw RemotePlayerError(
        code: .noBus,
        message: "there is no session bus: DBUS_SESSION_BUS_ADDRESS and XDG_RUNTIME_DIR are not set")
    }
    do throws(BusError) {
      bus = try BusConnection(address: address, description: "afterlock-control")
    } catch {
      throw RemotePlayerError(code: .noBus, message: "there is no session bus: \(error.message)")
    }
    do throws(BusError) {
      _ = try bus.uniqueName()
    } catch {
      throw RemotePlayerError(
        code: .noBus, message: "the session bus at \(address) does not answer: \(error.message)")
    }
    name = try choose(wanted)
  }

  private func choose(_ wanted: String?) throws(RemotePlayerError) -> String {
    let listed: [BusValue]
    do throws(BusError) {
      listed = try bus.call(
        "ListNames", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus", on: "org.freedesktop.DBus")
    } catch {
      throw RemotePlayerError(code: .noBus, message: "the session bus does not answer: \(error.message)")
    }
    guard case .array(_, let names)? = listed.first else { return "" }
    let players = names.compactMap { name -> String? in
      guard case .string(let name) = name, name.hasPrefix(Self.prefix) else { return nil }
      return name
    }.sorted()
    if let wanted {
      if let name = players.first(where: { $0 == Self.prefix + wanted }) { return name }
      let others = players.map { String($0.dropFirst(Self.prefix.count)) }.joined(separator: ", ")
      throw RemotePlayerError(
        code: .noPlayer,
        message:
          "there is no player '\(wanted)' on the session bus; there is \(others.isEmpty ? "none" : others)")
    }
    let own = players.filter { $0 == DesktopSession.busName || $0.hasPrefix(DesktopSession.busName + ".") }
    guard let first = own.first else {
      throw RemotePlayerError(
        code: .noPlayer, message: "no afterlock plays on this session bus; begin with \"afterlock play FILE\""
      )
    }
    for name in own where own.count > 1 {
      // One that does not answer, stopped with Ctrl-Z for one, is not the one that plays.
      if (try? get("PlaybackStatus", from: name)) == .string("Playing") { return name }
    }
    return first
  }

  // MARK: Asking

  /// How the player is.
  public func status() throws(RemotePlayerError) -> RemotePlayerStatus {
    var status = RemotePlayerStatus()
    let all = try ask("GetAll", of: Self.properties, at: Self.path, on: name, [.string(Self.player)])
    guard case .properties(let properties)? = all.first else { return status }
    for property in properties {
      switch (property.name, property.value) {
      case ("PlaybackStatus", .string(let word)): status.status = word
      case ("Volume", .double(let volume)) where volume.isFinite:
        status.volumePercent = min(max(volume, 0), 1_000) * 100
      case ("Position", .int64(let position)): status.position = .microseconds(position)
      case ("Metadata", .properties(let metadata)): Self.read(metadata, into: &status)
      default: break
      }
    }
    return status
  }

  private static func read(_ metadata: [BusValue.Property], into status: inout RemotePlayerStatus) {
    for entry in metadata {
      switch (entry.name, entry.value) {
      // Some players give a text where the specification has a path.
      case ("mpris:trackid", .objectPath(let path)), ("mpris:trackid", .string(let path)): status.track = path
      case ("mpris:length", .int64(let length)): status.length = .microseconds(length)
      case ("mpris:artUrl", .string(let address)): status.artwork = address
      case ("xesam:title", .string(let title)): status.title = title
      case ("xesam:artist", .array(_, let artists)):
        status.artists = artists.compactMap { if case .string(let artist) = $0 { artist } else { nil } }
      default: break
      }
    }
  }

  /// The last lines of the player's log that tell of its sound; only players of this program keep them.
  public func past() throws(RemotePlayerError) -> [String] {
    let answer: [BusValue]
    do throws(BusError) {
      answer = try bus.call("Past", of: MPRISTable.ownInterface, at: Self.path, on: name)
    } catch {
      let isUnknown = ["UnknownMethod", "UnknownInterface", "UnknownObject"].contains {
        error.name == "org.freedesktop.DBus.Error.\($0)"
      }
      throw RemotePlayerError(
        code: .refused,
        message: isUnknown
          ? "\(name) keeps no account of its sound: it is another program, or an older one"
          : "\(name) does not answer: \(error.message)")
    }
    guard case .array(_, let lines)? = answer.first else { return [] }
    return lines.compactMap { if case .string(let line) = $0 { line } else { nil } }
  }

  // MARK: Commanding

  /// Calls one of the player's methods that take nothing: `Play`, `Next`, ….
  ///
  /// Throws where the player says that it cannot go there.
  public func call(_ method: String) throws(RemotePlayerError) {
    if method == "Next" || method == "Previous", try get("CanGo\(method)", from: name) == .boolean(false) {
      throw RemotePlayerError(
        code: .refused, message: "there is no \(method.lowercased()) track that \(name) could go to")
    }
    _ = try ask(method, of: Self.player, at: Self.path, on: name)
  }

  /// A track that is being opened takes a seek although it says that it cannot: its length is not known yet.
  private func requireSeek(in status: RemotePlayerStatus) throws(RemotePlayerError) {
    guard status.length != nil, try get("CanSeek", from: name) == .boolean(false) else { return }
    throw RemotePlayerError(code: .refused, message: "\(name) cannot be moved to another place")
  }

  /// Moves the position by an amount; throws where the player says that it cannot.
  public func seek(by amount: Duration) throws(RemotePlayerError) {
    try requireSeek(in: try status())
    _ = try ask("Seek", of: Self.player, at: Self.path, on: name, [.int64(amount.microseconds)])
  }

  /// Goes to a place in the current track; throws where the player says that it cannot.
  public func seek(to position: Duration) throws(RemotePlayerError) {
    let now = try status()
    guard let track = now.track else {
      throw RemotePlayerError(code: .refused, message: "nothing is loaded that could be moved in")
    }
    try requireSeek(in: now)
    if let length = now.length, position > length {
      throw RemotePlayerError(code: .refused, message: "the track is only \(length.secondsText) s long")
    }
    _ = try ask(
      "SetPosition", of: Self.player, at: Self.path, on: name,
      [.objectPath(track), .int64(position.microseconds)])
  }

  /// Sets the slider's position, in percent.
  public func setVolume(percent: Double) throws(RemotePlayerError) {
    _ = try ask(
      "Set", of: Self.properties, at: Self.path, on: name,
      [.string(Self.player), .string("Volume"), .variant(.double(max(percent, 0) / 100))])
  }

  private func get(_ property: String, from name: String) throws(RemotePlayerError) -> BusValue? {
    let answer = try ask(
      "Get", of: Self.properties, at: Self.path, on: name, [.string(Self.player), .string(property)])
    guard case .variant(let value)? = answer.first else { return nil }
    return value
  }

  private func ask(
    _ member: String, of interface: String, at path: String, on name: String, _ arguments: [BusValue] = []
  ) throws(RemotePlayerError) -> [BusValue] {
    do throws(BusError) {
      return try bus.call(member, of: interface, at: path, on: name, arguments)
    } catch {
      let isSilent = error.name == "org.freedesktop.DBus.Error.Timeout"
      throw RemotePlayerError(
        code: .refused,
        message: isSilent
          ? "\(name) does not answer: it hangs, or is stopped" : "\(name) does not do that: \(error.message)")
    }
  }
}
