import AfterlockCore
import Testing

@Suite struct CoordinatorArtworkTests {
  private static let picture = ArtworkImage(bytes: [1], mimeType: "image/png", file: MediaPath("/c/1.png"))

  @Test func `A picture stays while its track is current, and a looped track keeps it`() async throws {
    let player = Player()
    let entries = await player.play(2)
    player.coordinator.report(Self.picture, of: entries[0].id)
    #expect(await player.coordinator.snapshot.artwork == Self.picture)
    await player.coordinator.handle(.setLoopMode(.track), origin: .viewer)
    let again = try #require(player.engine.lastUpcoming)
    await player.coordinator.handle(.started(again))
    #expect(await player.coordinator.snapshot.artwork == Self.picture)
    await player.coordinator.handle(.stop, origin: .viewer)
    #expect(await player.coordinator.snapshot.artwork == Self.picture)
    await player.coordinator.handle(.play, origin: .viewer)
    await player.coordinator.handle(.next, origin: .viewer)
    let next = await player.coordinator.snapshot
    #expect(next.entry == entries[1] && next.artwork == nil)
  }

  @Test func `A gapless track begins without the picture of the one before`() async throws {
    let player = Player()
    let entries = await player.play(2)
    player.coordinator.report(Self.picture, of: entries[0].id)
    await player.coordinator.handle(.setLoopMode(.playlist), origin: .viewer)
    let upcoming = player.engine.everything.compactMap { command in
      if case .setUpcoming(let run?, _) = command { run } else { nil }
    }
    await player.coordinator.handle(.started(try #require(upcoming.last)))
    let next = await player.coordinator.snapshot
    #expect(next.entry == entries[1] && next.artwork == nil)
  }

  @Test func `A picture that comes late lands nowhere`() async {
    let player = Player()
    let entries = await player.play(3)
    await player.coordinator.handle(.next, origin: .viewer)
    player.coordinator.report(Self.picture, of: entries[0].id)
    player.coordinator.report(Self.picture, of: entries[2].id)
    #expect(await player.coordinator.snapshot.artwork == nil)
    // Nor when its track is reached later.
    await player.coordinator.handle(.next, origin: .viewer)
    let last = await player.coordinator.snapshot
    #expect(last.entry == entries[2] && last.artwork == nil)
  }

  @Test func `A track that turns out to have none loses the one that it had`() async {
    let player = Player()
    let entries = await player.play(1)
    player.coordinator.report(Self.picture, of: entries[0].id)
    player.coordinator.report(nil, of: entries[0].id)
    #expect(await player.coordinator.snapshot.artwork == nil)
  }

  @Test func `A track is heard from its first frame on, and not when it is opened`() async throws {
    let player = Player()
    await player.coordinator.open(items(2))
    let run = try #require(player.engine.lastLoaded)
    await player.coordinator.handle(.opened(run, .minute()))
    #expect(await !player.coordinator.snapshot.isHeard)
    await player.coordinator.handle(.started(run))
    #expect(await player.coordinator.snapshot.isHeard)
    await player.coordinator.handle(.next, origin: .viewer)
    #expect(await !player.coordinator.snapshot.isHeard)
  }
}
