import AfterlockCore

/// The list of tracks as clients see it: a value, so that what they read and what they are told of come from the same place.
///
/// A long list is shown in part. The specification recommends that, since every `TrackListReplaced` carries all ids: 1,000
/// of them are 35 kB, and 100,000 would be 3.5 MB to every client at every change. A list of up to ``mostShown`` tracks is
/// shown whole; of a longer one those around the current track are, and others take their place only when the current one
/// comes near an edge. Every track of the list can be named in a call, shown or not.
struct MPRISTrackList: Sendable {
  /// What clients are told of.
  enum Signal: Hashable, Sendable {
    /// The ids, and which one is current.
    case replaced([TrackID], current: TrackID?)
    /// What is known of the track, and which one it comes behind.
    case added(BusValue, after: TrackID?)
    case removed(TrackID)
    case metadataChanged(TrackID, BusValue)

    var name: String {
      switch self {
      case .replaced: "TrackListReplaced"
      case .added: "TrackAdded"
      case .removed: "TrackRemoved"
      case .metadataChanged: "TrackMetadataChanged"
      }
    }

    var arguments: [BusValue] {
      switch self {
      case .replaced(let tracks, let current): [MPRISTrackList.paths(tracks), MPRISTrackList.path(current)]
      case .added(let metadata, let before): [metadata, MPRISTrackList.path(before)]
      case .removed(let track): [MPRISTrackList.path(track)]
      case .metadataChanged(let track, let metadata): [MPRISTrackList.path(track), metadata]
      }
    }
  }

  /// What is new for clients.
  struct News: Hashable, Sendable {
    var signals: [Signal] = []
    /// `Tracks` is another list.
    var hasOtherTracks = false
  }

  /// Tracks that are shown at once.
  static let mostShown = 1_000
  /// What is known of tracks is told of at once up to so many bytes of texts; of the rest only what the list says. D-Bus has
  /// no list of more than 64 MiB, whoever asks may ask for one track as often as for all, and answers that nobody reads stand
  /// before those to others: this is room for 2 kB of each track that is shown.
  static let mostTold = 2 << 20
  /// Changes of the list that are told of one by one; more of them replace the list.
  static let mostSingleChanges = 16

  private let limit: Int
  private var listing = QueueListing()
  /// The positions that are shown.
  private var window = 0..<0
  private var current: TrackID?
  /// What is known of tracks that have been current, beyond what the list itself says; of tracks that are shown.
  private var known: [TrackID: BusValue] = [:]

  init(limit: Int = mostShown) { self.limit = limit }

  /// The version of the list.
  var version: UInt64 { listing.version }

  /// The ids of the tracks that are shown, in order.
  var shown: [TrackID] { listing.entries[window].map(\.id) }

  /// The value of a property; `nil` for a name that the interface does not have.
  func value(_ name: String) -> BusValue? {
    switch name {
    case "Tracks": Self.paths(shown)
    case "CanEditTracks": .boolean(true)
    default: nil
    }
  }

  /// What is known of tracks, in the order in which they are asked for; without those that are not in the list.
  /// Beyond ``mostTold`` it is what the list says of them.
  func metadata(of tracks: [TrackID]) -> [BusValue] {
    let wanted = Set(tracks)
    var found: [TrackID: QueueEntry] = [:]
    func look(_ entries: ArraySlice<QueueEntry>) {
      for entry in entries where wanted.contains(entry.id) { found[entry.id] = entry }
    }
    look(listing.entries[window])
    if found.count < wanted.count { look(listing.entries[...]) }
    var told = 0
    return tracks.compactMap { track in
      guard let entry = found[track] else { return nil }
      guard told < Self.mostTold else { return MPRISMetadata.map(entry, nil) }
      let metadata = metadata(of: entry)
      told += metadata.textBytes
      return metadata
    }
  }

  private func metadata(of entry: QueueEntry) -> BusValue {
    known[entry.id] ?? MPRISMetadata.map(entry, nil)
  }

  // MARK: Changes

  /// Takes in another list and how the player is.
  /// - Parameters:
  ///   - listing: the list, where it is another.
  ///   - metadata: what is known of the current track.
  /// - Returns: what clients do not know yet.
  mutating func update(_ listing: QueueListing?, _ snapshot: PlayerSnapshot, metadata: BusValue?) -> News {
    var news = News()
    let before = listing == nil && !isLong ? nil : shown
    if let listing { self.listing = listing }
    current = snapshot.entry?.id
    window = window(around: position(of: snapshot))
    let isNews = note(snapshot, metadata)
    if let before {
      let after = shown
      news.hasOtherTracks = before != after
      if news.hasOtherTracks {
        let inside = Set(after)
        known = known.filter { inside.contains($0.key) }
        news.signals = changes(from: before, to: after)
      }
    }
    guard let current, isNews, let now = known[current] else { return news }
    // A list that was replaced, or a track that was just added, comes with all that is known.
    let isTold = news.signals.contains { signal in
      switch signal {
      case .replaced: true
      case .added(let metadata, _): metadata == now
      case .removed, .metadataChanged: false
      }
    }
    if !isTold { news.signals.append(.metadataChanged(current, now)) }
    return news
  }

  /// - Returns: whether more is known of the current track than before.
  private mutating func note(_ snapshot: PlayerSnapshot, _ metadata: BusValue?) -> Bool {
    // Until its file is open a track that comes round again would be known less well than before.
    guard let entry = snapshot.entry, snapshot.info != nil, let metadata else { return false }
    guard listing.entries[window].contains(where: { $0.id == entry.id }) else { return false }
    guard self.metadata(of: entry) != metadata else { return false }
    known[entry.id] = metadata
    return true
  }

  /// Entries keep their order and ids are never given twice, so what is not on both sides has come or gone.
  private func changes(from before: [TrackID], to after: [TrackID]) -> [Signal] {
    let (earlier, later) = (Set(before), Set(after))
    let gone = before.filter { !later.contains($0) }
    let come = after.indices.filter { !earlier.contains(after[$0]) }
    guard gone.count + come.count <= Self.mostSingleChanges else {
      return [.replaced(after, current: current)]
    }
    let shown = listing.entries[window]
    return gone.map(Signal.removed)
      + come.map { index in
        .added(
          metadata(of: shown[shown.startIndex + index]), after: index > 0 ? after[index - 1] : nil)
      }
  }

  private var isLong: Bool { listing.entries.count > limit }

  private func position(of snapshot: PlayerSnapshot) -> Int? {
    guard isLong, let entry = snapshot.entry else { return nil }
    let entries = listing.entries
    // The snapshot may be of another list than this.
    if let index = snapshot.index, entries.indices.contains(index), entries[index].id == entry.id {
      return index
    }
    return entries.firstIndex { $0.id == entry.id }
  }

  /// The same positions as before as long as the current one is well inside them.
  private func window(around position: Int?) -> Range<Int> {
    let count = listing.entries.count
    guard isLong else { return 0..<count }
    let last = count - limit
    let start = min(window.lowerBound, last)
    guard let position else { return start..<(start + limit) }
    let margin = limit / 8
    let isInside =
      position >= (start == 0 ? 0 : start + margin)
      && position < start + limit - (start == last ? 0 : margin)
    let place = isInside ? start : min(max(position - limit / 2, 0), last)
    return place..<(place + limit)
  }

  private static func path(_ id: TrackID?) -> BusValue {
    .objectPath(id.map(MPRISTrack.path) ?? MPRISTrack.none)
  }

  private static func paths(_ ids: [TrackID]) -> BusValue {
    .array(of: "o", ids.map { .objectPath(MPRISTrack.path($0)) })
  }
}
