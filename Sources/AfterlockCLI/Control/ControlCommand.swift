import AfterlockCore
import AfterlockDesktop

/// `afterlock control`: one thing asked of a player that runs.
enum ControlCommand {
  static func run(_ request: ControlRequest, player: String?) -> Int32 {
    do throws(RemotePlayerError) {
      let client = try MPRISClient(player)
      return try carryOut(request, client)
    } catch {
      StandardStream.error.write("afterlock: \(PlainText.line(error.message))\n")
      return error.code == .noBus ? 3 : 1
    }
  }

  private static func carryOut(_ request: ControlRequest, _ client: MPRISClient) throws(RemotePlayerError)
    -> Int32
  {
    switch request {
    case .play: try client.call("Play")
    case .pause: try client.call("Pause")
    case .toggle: try client.call("PlayPause")
    case .next: try client.call("Next")
    case .previous: try client.call("Previous")
    case .stop: try client.call("Stop")
    case .seek(let position): try client.seek(to: position)
    case .seekBy(let amount): try client.seek(by: amount)
    case .setVolume(let percent): try client.setVolume(percent: percent)
    case .changeVolume(let percent):
      try client.setVolume(percent: (try client.status().volumePercent ?? 100) + percent)
    case .showVolume: print(volume(try client.status()) ?? "")
    case .status: print(line(try client.status()))
    case .artwork:
      guard let address = try client.status().artwork else {
        throw RemotePlayerError(code: .refused, message: "there is no picture of what plays")
      }
      print(address)
    }
    return 0
  }

  private static func print(_ line: String) { StandardStream.output.write(PlainText.line(line) + "\n") }

  /// "Playing: TITLE — ARTIST  0:07 / 3:21  80%"
  static func line(_ status: RemotePlayerStatus) -> String {
    var line = status.status
    if let title = status.title {
      line +=
        ": "
        + ([title] + (status.artists.isEmpty ? [] : [status.artists.joined(separator: ", ")]))
        .joined(separator: " — ")
    }
    let times = [status.position, status.length].compactMap { $0.map(TimeText.show) }
    if status.title != nil, !times.isEmpty { line += "  " + times.joined(separator: " / ") }
    return line + (volume(status).map { "  " + $0 } ?? "")
  }

  private static func volume(_ status: RemotePlayerStatus) -> String? {
    status.volumePercent.map { "\(Int($0.rounded()))%" }
  }
}
