import AfterlockCore
import AfterlockDesktop
import AfterlockEngine
import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockCLI

@MainActor @Suite("Adding to the list while it plays")
struct ItemAdderTests {
  /// An engine that does nothing.
  private struct SilentEngine: PlaybackEngine {
    func perform(_ command: EngineCommand) {}
    var position: PlaybackPosition { PlaybackPosition(run: nil, time: .zero) }
  }

  private final class Reports {
    var faults: [String] = []
  }

  let folder: ByteNamedFolder
  let coordinator: PlaybackCoordinator
  let adder: ItemAdder
  let interrupter = ReadInterrupter()
  private let reports: Reports

  init() throws {
    folder = try ByteNamedFolder()
    let reports = Reports()
    self.reports = reports
    coordinator = PlaybackCoordinator(
      on: .main, queue: PlaybackQueue(generator: SeededGenerator(seed: 1)), engine: SilentEngine())
    adder = ItemAdder(to: coordinator, interrupter: interrupter) { reports.faults.append($0.message) }
  }

  private func add(
    _ address: String, at place: QueuePlace = .end, _ use: TrackAddition.Use = .wait
  ) async -> String? {
    await adder.add(TrackAddition(address, at: place, use), from: .viewer)
  }

  private func names() async -> [String] {
    await coordinator.entries.map { $0.location.display.replacing(folder.path + "/", with: "") }
  }

  /// The address of a name in the folder.
  private func address(_ name: String) -> String { "file://\(folder.path)/\(name)" }

  private func wav(_ name: String) throws { try folder.wav(name, frames: 100) }

  @Test func `a file, a folder and a playlist are added with all of their items`() async throws {
    try folder.folder("f")
    for name in ["a b.wav", "f/1.wav", "f/2.wav", "c.wav"] { try wav(name) }
    try folder.file("l.m3u", "c.wav\n#EXTINF:1,Title\na b.wav\n")
    #expect(await add(address("a%20b.wav")) == nil)
    let first = try #require(await coordinator.entries.first?.id)
    #expect(await add(address("f"), at: .after(first)) == nil)
    #expect(await add(address("l.m3u"), at: .start) == nil)
    #expect(await names() == ["c.wav", "a b.wav", "a b.wav", "f/1.wav", "f/2.wav"])
    #expect(await coordinator.entries.map(\.title) == [nil, "Title", nil, nil, nil])
    #expect(reports.faults == [])
  }

  @Test func `what cannot be played is refused with its cause, and nothing changes`() async throws {
    try wav("a.wav")
    try folder.file("notes.txt", "no sound")
    try folder.folder("empty")
    try folder.file("l.m3u", "missing.wav\nnotes.txt\n")
    _ = await add(address("a.wav"), .isPlayed)
    let before = await coordinator.snapshot
    let causes = [
      (address("missing.wav"), "no such file or folder"), (address("notes.txt"), "notes.txt: "),
      (address("empty"), "no music in this folder"), (address("l.m3u"), "no such file or folder"),
      ("ftp://host/a.wav", "addresses of kind ftp: are not played"), ("a.wav", "this is no address"),
      ("\(folder.path)/a.wav", "this is no address"), ("", "this is no address"),
      ("file://other/a.wav", "on another machine"),
      ("http://127.0.0.1:1/a.wav", "The address cannot be opened"),
      ("http:///", "no host"), ("data:audio/wav,x", "this is no address"),
    ]
    for (address, cause) in causes {
      for use in [TrackAddition.Use.wait, .isCurrent, .isPlayed] {
        let answer = await add(address, at: .afterCurrent, use)
        #expect(answer?.localizedCaseInsensitiveContains(cause) == true, "\(address): \(answer ?? "nothing")")
      }
    }
    #expect(await names() == ["a.wav"])
    let after = await coordinator.snapshot
    #expect(after.run == before.run && after.intent == before.intent && !after.expectsMore)
    #expect(reports.faults == [], "whoever asked has been told")
  }

  @Test func `beside what can be played the rest is left out with its cause`() async throws {
    try wav("b.wav")
    try folder.file("bad.wav", "no sound")
    try folder.file("l.m3u", "missing.wav\nbad.wav\nb.wav\nalso missing.wav\n")
    #expect(await add(address("l.m3u"), .isPlayed) == nil)
    #expect(await names() == ["b.wav"], "what does not open is not played instead of what plays")
    #expect(await coordinator.snapshot.entry?.location.display.hasSuffix("b.wav") == true)
    // On a busy machine the answer comes before all has been looked at.
    try await waitUntil("all of it") { await !coordinator.snapshot.expectsMore }
    let faults = reports.faults
    #expect(faults.count == 3 && faults[0].contains("missing.wav") && faults[1].contains("bad.wav"))
  }

  @Test func `what is opened plays at once, with its folder behind it, and then what was to follow`()
    async throws
  {
    try folder.folder("f")
    for name in ["a.wav", "b.wav", "f/1.wav", "f/2.wav", "f/3.wav"] { try wav(name) }
    for name in ["a.wav", "b.wav"] { _ = await add(address(name)) }
    await coordinator.handle(.play, origin: .viewer)
    #expect(await add(address("f"), at: .afterCurrent, .isPlayed) == nil)
    let names = await names()
    #expect(names == ["a.wav", "f/1.wav", "f/2.wav", "f/3.wav", "b.wav"])
    let snapshot = await coordinator.snapshot
    #expect(snapshot.index == 1 && snapshot.intent.wantsToPlay)
  }

  @Test func `additions come into the list in the order in which they were asked for`() async throws {
    let names = (1...ItemAdder.mostReadings).map { "\($0).wav" }
    for name in names { try wav(name) }
    let answers = names.map { name in Task { await add(address(name)) } }
    for answer in answers { #expect(await answer.value == nil) }
    #expect(await self.names() == names)
  }

  @Test func `a server that does not answer keeps nobody else waiting`() async throws {
    try wav("a.wav")
    let server = try WebServer(folder.path)
    let start = ContinuousClock.now
    let waiting = (1...3).map { _ in
      Task { await add(server.address("list.m3u?silent")) }
    }
    let sound = Task { await add(server.address("a.wav?silent")) }
    #expect(await add(address("a.wav")) == nil)
    #expect(await names() == ["a.wav"])
    let expectsMore = await coordinator.snapshot.expectsMore
    // Where a busy machine has let the servers' own limit pass, they have been given up.
    let isLate = ContinuousClock.now - start > .seconds(9)
    #expect(expectsMore || isLate, "the others are still waited for, and the list may go on")
    interrupter.interrupt()
    for task in waiting + [sound] { #expect(await task.value != nil) }
    #expect(await !coordinator.snapshot.expectsMore)
  }

  @Test func `a file that takes long to open keeps nobody else waiting`() async throws {
    for name in ["slow.wav", "a.wav", "b.wav"] { try wav(name) }
    let gate = DispatchSemaphore(value: 0)
    let adder = ItemAdder(
      to: coordinator, interrupter: interrupter,
      open: { location, _ in if location.display.hasSuffix("slow.wav") { gate.wait() } }
    ) { _ in }
    defer { gate.signal() }
    func add(_ name: String) -> Task<String?, Never> {
      let addition = TrackAddition(address(name), at: .end, .wait)
      return Task { await adder.add(addition, from: .viewer) }
    }
    let slow = add("slow.wav")
    try await waitUntil("it to be asked for") { await coordinator.snapshot.expectsMore }
    let others = ["a.wav", "b.wav"].map(add)
    try await waitUntil("the others to be in the list") { await names().count == 2 }
    let expectsMore = await coordinator.snapshot.expectsMore
    #expect(expectsMore, "it is still waited for")
    gate.signal()
    for task in others + [slow] { #expect(await task.value == nil) }
    #expect(await names().last == "slow.wav")
  }

  @Test func `a folder of thousands is answered before all of it is in the list`() async throws {
    try folder.folder("f")
    let sound = try folder.wav("f/0000.wav", frames: 10)
    for number in 1..<3_000 {
      try FileManager.default.linkItem(
        atPath: String(decoding: sound, as: UTF8.self),
        toPath: "\(folder.path)/f/\(String(format: "%04d", number)).wav")
    }
    #expect(await add(address("f"), .isPlayed) == nil)
    try await waitUntil("all of it") { await !coordinator.snapshot.expectsMore }
    #expect(await names() == (0..<3_000).map { "f/\(String(format: "%04d", $0)).wav" })
    #expect(await coordinator.snapshot.index == 0)
  }

  @Test func `every kind of name that a folder is looked through for has its type, and no other`() {
    let playlists = ["m3u", "m3u8", "pls"]
    #expect(Set(MediaTypes.byExtension.keys) == MediaExtension.known.union(playlists))
    #expect(playlists.allSatisfy { PlaylistFormat(pathExtension: $0) != nil })
    #expect(MediaTypes.mimeTypes.count == Set(MediaTypes.mimeTypes).count)
    for scheme in MediaTypes.schemes {
      if case .refused(let cause) = ItemReference("\(scheme)://localhost/a".utf8) { Issue.record("\(cause)") }
    }
  }
}
