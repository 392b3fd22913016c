import AfterlockCore

/// The properties of the root and the player for one state of the player: a value, so that what a client reads and what it is told
/// of come from the same place.
///
/// `Position` is not here: it moves all the time and is asked for, never told (emits-changed is false). Those of the list
/// are ``MPRISTrackList``'s.
struct MPRISProperties: Hashable, Sendable {
  enum Interface: String, Hashable, Sendable, CaseIterable {
    case root = "org.mpris.MediaPlayer2"
    case player = "org.mpris.MediaPlayer2.Player"
    case trackList = "org.mpris.MediaPlayer2.TrackList"
  }

  /// What the interface is called by people, and by the desktop's entry for it.
  static let identity = ProgramIdentity.title
  /// The base name of the `.desktop` file that `afterlock install` writes.
  static let desktopEntry = ProgramIdentity.name
  private var snapshot: PlayerSnapshot
  private var artwork: String?
  private let offer: RemoteOffer

  init(_ snapshot: PlayerSnapshot, offer: RemoteOffer = .everything) {
    self.snapshot = snapshot
    self.offer = offer
    // None is news to a client: the position is asked for, failures are for people.
    (self.snapshot.position, self.snapshot.serial) = (.zero, 0)
    if offer == .everything { self.snapshot.failures = FailureList() }
    // A client reads the picture's file; its bytes would be compared for nothing.
    artwork = snapshot.artwork?.file.map { MediaAddress.file($0.bytes) }
    self.snapshot.artwork = nil
    self.snapshot.isHeard = false
  }

  /// Takes in what a client has set: whoever asks before the player has said so gets the new value.
  mutating func expect(_ command: PlayerCommand) {
    switch command {
    case .setVolume(let volume): snapshot.volume = volume
    case .setMuted(let isMuted): snapshot.isMuted = isMuted
    case .setLoopMode(let mode): snapshot.loopMode = mode
    case .setShuffled(let isOn): snapshot.isShuffled = isOn
    default: break
    }
  }

  /// The run that the position has to be of.
  var run: PlaybackRun? { snapshot.run }

  /// A track has been chosen, and it is not known yet what it is.
  var isOpening: Bool { snapshot.state == .loading && snapshot.info == nil }

  /// The length of what plays, where it is known.
  var length: Duration? { snapshot.info?.duration }

  /// The names of all properties of an interface, in the specification's order.
  static func names(_ interface: Interface) -> [String] {
    switch interface {
    case .root:
      [
        "CanQuit", "CanRaise", "HasTrackList", "Identity", "DesktopEntry", "SupportedUriSchemes",
        "SupportedMimeTypes",
      ]
    case .player:
      [
        "PlaybackStatus", "LoopStatus", "Rate", "Shuffle", "Metadata", "Volume", "MinimumRate", "MaximumRate",
        "CanGoNext", "CanGoPrevious", "CanPlay", "CanPause", "CanSeek", "CanControl",
      ]
    case .trackList: ["Tracks", "CanEditTracks"]
    }
  }

  /// The value of a property; `nil` for a name that the interface does not have.
  func value(_ name: String, of interface: Interface) -> BusValue? {
    switch interface {
    case .root: Self.rootValue(name)
    case .player: playerValue(name)
    case .trackList: nil
    }
  }

  private static func rootValue(_ name: String) -> BusValue? {
    switch name {
    case "CanQuit": .boolean(true)
    // A terminal's window is not ours to bring to the front.
    case "CanRaise": .boolean(false)
    case "HasTrackList": .boolean(true)
    case "Identity": .string(identity)
    case "DesktopEntry": .string(desktopEntry)
    case "SupportedUriSchemes": .texts(MediaTypes.schemes)
    case "SupportedMimeTypes": .texts(MediaTypes.mimeTypes)
    default: nil
    }
  }

  private func playerValue(_ name: String) -> BusValue? {
    switch name {
    case "PlaybackStatus": .string(status)
    case "LoopStatus": .string(Self.loopWord(snapshot.loopMode))
    case "Rate", "MinimumRate", "MaximumRate": .double(1)
    case "Shuffle": .boolean(snapshot.isShuffled)
    case "Metadata": MPRISMetadata.map(snapshot.entry, snapshot.info, artwork: artwork)
    case "Volume": .double(snapshot.isMuted ? 0 : snapshot.volume.slider)
    // While more may come it is not known, and that is "true" to the specification.
    case "CanGoNext": .boolean(takes(.next) && (snapshot.hasNext || snapshot.expectsMore))
    case "CanGoPrevious": .boolean(takes(.previous) && snapshot.hasPrevious)
    case "CanPlay", "CanPause": .boolean(hasPlayButton)
    case "CanSeek": .boolean(takes(.seekBy(.zero)) && snapshot.info?.duration != nil)
    case "CanControl": .boolean(true)
    default: nil
    }
  }

  private func takes(_ command: PlayerCommand) -> Bool { offer.taken(command) != nil }

  private var hasPlayButton: Bool {
    switch offer {
    case .everything: snapshot.count > 0
    case .noiseMaker: snapshot.count > 0 && NoiseMaker(snapshot).hasControls
    }
  }

  /// As a button that toggles reads (``PlayerSnapshot/togglePauses``): that is what a lock screen makes of it.
  var status: String {
    switch snapshot.state {
    case .stopped, .ended: "Stopped"
    case .loading, .playing, .paused: snapshot.togglePauses ? "Playing" : "Paused"
    }
  }

  /// The names of the properties that are other than in `earlier`, in the specification's order.
  func changes(since earlier: MPRISProperties, in interface: Interface) -> [String] {
    guard self != earlier else { return [] }
    return Self.names(interface).filter { value($0, of: interface) != earlier.value($0, of: interface) }
  }

  static func loopWord(_ mode: LoopMode) -> String {
    switch mode {
    case .none: "None"
    case .track: "Track"
    case .playlist: "Playlist"
    }
  }

  static func loopMode(_ word: String) -> LoopMode? {
    LoopMode.allCases.first { loopWord($0) == word }
  }
}
