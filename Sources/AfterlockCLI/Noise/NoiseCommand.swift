import Afterlock
import AfterlockCore
import AfterlockPipeWire

/// `afterlock noise`: wires the noise maker, the terminal and the main loop together.
///
/// Isolation: the main actor, on the initial thread; `run` returns the exit status.
@MainActor
enum NoiseCommand {
  static func run(_ options: NoiseOptions) -> Int32 {
    guard AfterlockCommand.hasDescriptors() else { return 1 }
    var configuration = Player.Configuration()
    // Without a file of its own: "afterlock why" asks for the last lines.
    configuration.log = PlaybackLog(keepsPast: true, write: nil)
    configuration.output.targetSink = options.output
    let player = Player(configuration)
    let loop = MainLoop()
    let run = PlayerRun(player, loop: loop, isSilent: false) { await player.close() }
    let session = NoiseSession(options, coordinator: player.coordinator, run: run)
    session.takePlace(on: player)
    session.begin()
    session.waitForServer(of: player)
    return loop.run()
  }
}
