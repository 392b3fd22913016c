import AfterlockCore
import Testing

@testable import AfterlockDesktop

@Suite("The list of tracks as clients see it")
struct MPRISTrackListTests {
  private func id(_ number: Int) -> TrackID { TrackID(rawValue: UInt64(number)) }

  private func listing(_ numbers: some Sequence<Int>, version: UInt64 = 1) -> QueueListing {
    QueueListing(
      version: version,
      entries: numbers.map { QueueEntry(id: id($0), location: .file(MediaPath("/\($0)"))) })
  }

  private func snapshot(
    _ current: Int?, index: Int? = nil, isOpen: Bool = false, tags: MediaTags = MediaTags()
  ) -> PlayerSnapshot {
    var snapshot = PlayerSnapshot()
    snapshot.entry = current.map { QueueEntry(id: id($0), location: .file(MediaPath("/\($0)"))) }
    snapshot.index = index
    if isOpen {
      snapshot.info = MediaInfo(
        format: AudioFormat(rate: 48_000, channels: [.frontLeft]), frames: 48_000, codec: "flac",
        isSeekExact: true, tags: tags, hasArtwork: false)
    }
    return snapshot
  }

  private func metadata(_ snapshot: PlayerSnapshot) -> BusValue? {
    MPRISProperties(snapshot).value("Metadata", of: .player)
  }

  private func bare(_ number: Int) -> BusValue {
    MPRISMetadata.map(QueueEntry(id: id(number), location: .file(MediaPath("/\(number)"))), nil)
  }

  /// A list whose first state is known to clients.
  private func list(_ numbers: some Sequence<Int>, at current: Int? = nil, limit: Int = 100) -> MPRISTrackList
  {
    var list = MPRISTrackList(limit: limit)
    let entries = listing(numbers)
    _ = list.update(
      entries, snapshot(current, index: entries.entries.firstIndex { $0.id == current.map(id) }),
      metadata: nil)
    return list
  }

  @Test func `a track that comes is told of with the one it stands behind`() {
    var list = list([1, 2, 3])
    let news = list.update(listing([9, 1, 2, 8, 7, 3], version: 2), snapshot(1), metadata: nil)
    #expect(
      news.signals == [
        .added(bare(9), after: nil), .added(bare(8), after: id(2)), .added(bare(7), after: id(8)),
      ])
    #expect(news.hasOtherTracks)
    #expect(list.shown == [9, 1, 2, 8, 7, 3].map(id))
  }

  @Test func `a track that goes is told of, and nothing else`() {
    var list = list([1, 2, 3])
    let news = list.update(listing([1, 3], version: 2), snapshot(1), metadata: nil)
    #expect(news == MPRISTrackList.News(signals: [.removed(id(2))], hasOtherTracks: true))
  }

  @Test func `steady play and another version of the same list are no news`() {
    var list = list([1, 2, 3], at: 1)
    #expect(list.update(nil, snapshot(2), metadata: nil) == MPRISTrackList.News())
    #expect(list.update(listing([1, 2, 3], version: 5), snapshot(2), metadata: nil) == MPRISTrackList.News())
  }

  @Test func `many changes at once replace the list, few do not`() {
    let most = MPRISTrackList.mostSingleChanges
    var few = list([1])
    #expect(few.update(listing(1...(1 + most), version: 2), snapshot(1), metadata: nil).signals.count == most)
    var many = list([1])
    let news = many.update(listing(1...(2 + most), version: 2), snapshot(1), metadata: nil)
    #expect(news.signals == [.replaced((1...(2 + most)).map(id), current: id(1))])
  }

  @Test func `the signals have the specification's arguments`() {
    let none = BusValue.objectPath("/org/mpris/MediaPlayer2/TrackList/NoTrack")
    let path = BusValue.objectPath("/org/afterlock/track/7")
    let signals: [(MPRISTrackList.Signal, String, [BusValue])] = [
      (.replaced([id(7)], current: nil), "TrackListReplaced", [.array(of: "o", [path]), none]),
      (.added(bare(7), after: nil), "TrackAdded", [bare(7), none]),
      (.removed(id(7)), "TrackRemoved", [path]),
      (.metadataChanged(id(7), bare(7)), "TrackMetadataChanged", [path, bare(7)]),
    ]
    for (signal, name, arguments) in signals {
      #expect(signal.name == name && signal.arguments == arguments)
      let entry = MPRISTable.trackList.first { "\($0.name)" == name }
      guard case .signal(let signature, _)? = entry?.kind else {
        Issue.record("\(name) is not in the table")
        continue
      }
      #expect("\(signature)" == arguments.map(\.signature).joined())
    }
  }

  @Test func `what a file says of itself is told of once, and stays known when another plays`() {
    var list = list([1, 2], at: 1)
    let open = snapshot(1, isOpen: true)
    let known = MPRISMetadata.map(open.entry, open.info)
    #expect(list.update(nil, open, metadata: metadata(open)).signals == [.metadataChanged(id(1), known)])
    #expect(list.update(nil, open, metadata: metadata(open)).signals.isEmpty)
    #expect(list.update(nil, snapshot(2), metadata: metadata(snapshot(2))).signals.isEmpty)
    // It comes round again, and its file is not open yet.
    #expect(list.update(nil, snapshot(1), metadata: metadata(snapshot(1))).signals.isEmpty)
    #expect(list.metadata(of: [id(2), id(1), id(9), id(1)]) == [bare(2), known, known])
  }

  @Test func `one track asked for as often as can be is an answer of bounded size`() {
    var tags = MediaTags()
    let long = Array(repeating: String(repeating: "x", count: 100_000), count: 100)
    (tags.artists, tags.genres) = (long, long)
    let open = snapshot(1, isOpen: true, tags: tags)
    var list = list([1, 2], at: 1)
    _ = list.update(nil, open, metadata: metadata(open))
    let known = MPRISMetadata.map(open.entry, open.info)
    let answer = list.metadata(of: (0..<1_000).map { id($0 % 2 + 1) })
    #expect(answer.count == 1_000 && answer[0] == known && answer[999] == bare(2) && answer[998] == bare(1))
    // D-Bus has no list of more than 64 MiB, and a bus holds back a sender of some that nobody reads.
    let bytes = BusValue.array(of: "a{sv}", answer).textBytes
    #expect(bytes < 3 << 20 && bytes > 2 << 20, "\(bytes)")
  }

  @Test func `a track that is added and open already comes with what is known of it`() {
    var list = list([1], at: 1)
    let open = snapshot(2, isOpen: true)
    let known = MPRISMetadata.map(open.entry, open.info)
    let news = list.update(listing([1, 2], version: 2), open, metadata: metadata(open))
    #expect(news.signals == [.added(known, after: id(1))])
  }

  @Test func `of a long list the tracks around the current one are shown, and every one can be asked for`() {
    var list = list(1...1_000, at: 500)
    #expect(list.shown.count == 100 && list.shown.contains(id(500)))
    #expect(list.metadata(of: [id(1), id(1_000)]) == [bare(1), bare(1_000)])
    // Well inside nothing moves.
    for current in 500...530 {
      #expect(list.update(nil, snapshot(current, index: current - 1), metadata: nil).signals.isEmpty)
    }
    let news = list.update(nil, snapshot(548, index: 547), metadata: nil)
    #expect(news.signals == [.replaced((498...597).map(id), current: id(548))])
    #expect(news.hasOtherTracks)
  }

  @Test(arguments: [1, 2, 60, 500, 990, 1_000])
  func `the current track is always shown, also at the ends`(current: Int) {
    var list = list(1...1_000, at: 300)
    _ = list.update(nil, snapshot(current, index: current - 1), metadata: nil)
    #expect(list.shown.count == 100 && list.shown.contains(id(current)))
    let again = list.update(nil, snapshot(current, index: nil), metadata: nil)
    #expect(again.signals.isEmpty, "found without its place")
  }

  @Test func `a list that grows beyond what is shown is told of no more`() {
    var list = list(1...100, at: 1)
    #expect(list.update(listing(1...5_000, version: 2), snapshot(1, index: 0), metadata: nil).signals.isEmpty)
    let news = list.update(listing(Array(0...5_000), version: 3), snapshot(1, index: 1), metadata: nil)
    #expect(news.signals == [.removed(id(100)), .added(bare(0), after: nil)])
  }

  @Test func `a long list costs a message of bounded size`() {
    var list = MPRISTrackList()
    let news = list.update(listing(1...100_000), snapshot(50_000, index: 49_999), metadata: nil)
    guard case .replaced(let tracks, _)? = news.signals.first else {
      Issue.record("\(news.signals.count) signals")
      return
    }
    #expect(tracks.count == MPRISTrackList.mostShown && news.signals.count == 1)
  }
}
