import Afterlock
import CAllocationCounter

/// Plays files with a whole player: decoder, ring, coordinator, PipeWire.
///
/// After every second and a half of sound comes a command, in turns: a seek, a pause and a play, the next track; some seeks
/// lead to where a track is about to end. Only what was heard between a command's effect and the next command counts.
struct PlayedMinute {
  private static let stretch = Duration.milliseconds(1_500)
  private let player: Player
  private let files: [String]
  private var step = 0
  private var heard = Duration.zero
  private var seeks = 0
  private var pauses = 0
  private var tracks = 0

  init(socket: String, files: [String]) {
    var configuration = Player.Configuration()
    configuration.output.remoteName = socket
    player = Player(configuration)
    self.files = files
  }

  /// Plays until `length` has been heard, and prints what was counted.
  mutating func play(_ length: Duration, isPlanted: Bool) async {
    player.send(.setLoopMode(.playlist))
    await player.open(files.map { QueueItem($0) })
    await hear()
    let thread = afl_callback_thread()
    let (allocations, callbacks) = (afl_allocations_of_thread(thread), afl_callbacks())
    heard = .zero
    var isDue = isPlanted
    while heard < length {
      await command()
      if isDue, heard > length / 2 {
        afl_plant_allocation(thread)
        isDue = false
      }
      await hear()
    }
    precondition(afl_callback_thread() == thread, "the sound came from two threads")
    print(
      "seconds \(heard.seconds) seeks \(seeks) pauses \(pauses) tracks \(tracks)",
      "callbacks \(afl_callbacks() - callbacks)",
      "allocations \(afl_allocations_of_thread(thread) - allocations)")
    await player.close()
  }

  /// Waits until a stretch of the current track has been heard.
  private mutating func hear() async {
    await wait("sound") { $0.lastRateChange?.rate == 1 && player.position.run == $0.run }
    let start = player.position
    await wait("a stretch of sound") { _ in
      player.position.run != start.run || player.position.time >= start.time + Self.stretch
    }
    // A track that ended meanwhile is not counted, since where it ended is not known.
    if player.position.run == start.run { heard += Self.stretch }
  }

  private mutating func command() async {
    step += 1
    let before = await player.coordinator.snapshot
    switch step % 3 {
    case 0:
      tracks += 1
      player.send(.next)
      await wait("the next track") { $0.run != nil && $0.run != before.run && $0.info != nil }
    case 1:
      seeks += 1
      player.send(.seek(to: .milliseconds(step * 997 % 19_500), in: nil))
      // One that comes when its track has just ended goes nowhere.
      await wait("the seek") { $0.jumps > before.jumps || $0.run != before.run }
    default:
      pauses += 1
      player.send(.pause)
      await wait("the pause") { $0.lastRateChange?.rate == 0 }
      player.send(.play)
    }
  }

  private func wait(_ what: String, until condition: (PlayerSnapshot) -> Bool) async {
    let limit = ContinuousClock.now + .seconds(30)
    while await !condition(player.coordinator.snapshot) {
      precondition(ContinuousClock.now < limit, "waited in vain for \(what)")
      try? await Task.sleep(for: .microseconds(500))
    }
  }
}
