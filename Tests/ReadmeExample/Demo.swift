import Afterlock

@main struct Demo {
  static func main() async {
    let player = Player()
    await player.open([QueueItem("Scenarios/media/afterlock.flac")])
    let summary = await player.finished()
    print("failed:", summary.failures.map(\.failure.message))
    await player.close()
  }
}
