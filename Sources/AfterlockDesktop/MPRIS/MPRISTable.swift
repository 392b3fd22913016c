import CAfterlockShims
import CSystemd

/// One member of an interface, as the specification has it.
struct MPRISMember: Sendable {
  enum Kind: Sendable {
    /// `names` are those of the arguments and then of the results, each with a NUL behind it.
    case method(signature: StaticString, result: StaticString, names: StaticString)
    case signal(signature: StaticString, names: StaticString)
    case property(type: StaticString, isWritable: Bool, emits: Emission)
  }

  /// The annotation EmitsChangedSignal.
  enum Emission: Sendable {
    case value, invalidation, never

    var flags: UInt64 {
      switch self {
      case .value: UInt64(SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE)
      case .invalidation: UInt64(SD_BUS_VTABLE_PROPERTY_EMITS_INVALIDATION)
      case .never: 0
      }
    }
  }

  let name: StaticString
  let kind: Kind

  var entry: sd_bus_vtable {
    switch kind {
    case .method(let signature, let result, let names):
      afl_bus_method(name.text, signature.text, result.text, names.text, mprisCall)
    case .signal(let signature, let names): afl_bus_signal(name.text, signature.text, names.text)
    case .property(let type, let isWritable, let emission):
      afl_bus_property(name.text, type.text, mprisGet, isWritable ? mprisSet : nil, emission.flags)
    }
  }

  static func method(
    _ name: StaticString, _ signature: StaticString = "", _ names: StaticString = "",
    result: StaticString = ""
  ) -> Self {
    Self(name: name, kind: .method(signature: signature, result: result, names: names))
  }

  static func signal(_ name: StaticString, _ signature: StaticString, _ names: StaticString) -> Self {
    Self(name: name, kind: .signal(signature: signature, names: names))
  }

  static func property(
    _ name: StaticString, _ type: StaticString, isWritable: Bool = false, emits: Emission = .value
  ) -> Self {
    Self(name: name, kind: .property(type: type, isWritable: isWritable, emits: emits))
  }
}

/// The interfaces' members, in the specification's order.
enum MPRISTable {
  static let root: [MPRISMember] = [
    .method("Raise"), .method("Quit"),
    .property("CanQuit", "b"), .property("CanRaise", "b"), .property("HasTrackList", "b"),
    .property("Identity", "s"), .property("DesktopEntry", "s"), .property("SupportedUriSchemes", "as"),
    .property("SupportedMimeTypes", "as"),
  ]

  static let player: [MPRISMember] = [
    .method("Next"), .method("Previous"), .method("Pause"), .method("PlayPause"), .method("Stop"),
    .method("Play"), .method("Seek", "x", "Offset\0"), .method("SetPosition", "ox", "TrackId\0Position\0"),
    .method("OpenUri", "s", "Uri\0"),
    .signal("Seeked", "x", "Position\0"),
    .property("PlaybackStatus", "s"), .property("LoopStatus", "s", isWritable: true),
    .property("Rate", "d", isWritable: true), .property("Shuffle", "b", isWritable: true),
    .property("Metadata", "a{sv}"), .property("Volume", "d", isWritable: true),
    .property("Position", "x", emits: .never), .property("MinimumRate", "d"), .property("MaximumRate", "d"),
    .property("CanGoNext", "b"), .property("CanGoPrevious", "b"), .property("CanPlay", "b"),
    .property("CanPause", "b"), .property("CanSeek", "b"),
    .property("CanControl", "b", emits: .never),
  ]

  static let trackList: [MPRISMember] = [
    .method("GetTracksMetadata", "ao", "TrackIds\0Metadata\0", result: "aa{sv}"),
    .method("AddTrack", "sob", "Uri\0AfterTrack\0SetAsCurrent\0"), .method("RemoveTrack", "o", "TrackId\0"),
    .method("GoTo", "o", "TrackId\0"),
    .signal("TrackListReplaced", "aoo", "Tracks\0CurrentTrack\0"),
    .signal("TrackAdded", "a{sv}o", "Metadata\0AfterTrack\0"), .signal("TrackRemoved", "o", "TrackId\0"),
    .signal("TrackMetadataChanged", "oa{sv}", "TrackId\0Metadata\0"),
    .property("Tracks", "ao", emits: .invalidation), .property("CanEditTracks", "b"),
  ]

  /// What this player offers beside MPRIS, at the same object.
  static let ownInterface = "org.afterlock.Player1"
  /// `Past() → as`: the last lines of the log that tell of the sound, each as the log has it.
  static let own: [MPRISMember] = [.method("Past", "", "Lines\0", result: "as")]
}

extension MPRISTable {
  /// The tables as sd-bus reads them: never freed, since it looks at them as long as any message keeps a connection.
  // Safe because they are filled before anybody sees them, and only read from then on.
  nonisolated(unsafe) static let tables: [(interface: String, entries: UnsafePointer<sd_bus_vtable>)] =
    [
      (MPRISProperties.Interface.root.rawValue, entries(root)),
      (MPRISProperties.Interface.player.rawValue, entries(player)),
      (MPRISProperties.Interface.trackList.rawValue, entries(trackList)),
      (ownInterface, entries(own)),
    ]

  /// Called on: a thread that has loaded sd-bus, whose own data the first entry points to.
  private static func entries(_ members: [MPRISMember]) -> UnsafePointer<sd_bus_vtable> {
    let all = [afl_bus_vtable_start()] + members.map(\.entry) + [afl_bus_vtable_end()]
    let table = UnsafeMutablePointer<sd_bus_vtable>.allocate(capacity: all.count)
    table.initialize(from: all, count: all.count)
    return UnsafePointer(table)
  }
}
