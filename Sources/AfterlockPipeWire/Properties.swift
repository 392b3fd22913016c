import AfterlockCore
import CAfterlockShims
import CPipeWire

/// Properties in PipeWire's own form; the caller owns them.
func makeProperties(_ values: [String: String]) -> UnsafeMutablePointer<pw_properties> {
  // PipeWire ends the process itself when it has no memory for a handful of strings.
  guard let properties = afl_properties_new() else { fatalError("out of memory") }
  for (key, value) in values { pw_properties_set(properties, key, value) }
  return properties
}

extension PipeWireConfiguration {
  /// For the client as the server and the session manager see it.
  var clientProperties: [String: String] {
    var values = [
      "application.name": applicationName,
      "application.id": applicationID,
      "application.icon-name": applicationIconName,
    ]
    if let remoteName { values["remote.name"] = remoteName }
    return values
  }

  /// For the connection that only watches.
  var watchProperties: [String: String] {
    clientProperties.merging(["application.name": "\(applicationName) [watch]"]) { $1 }
  }

  /// For one stream.
  func properties(for format: AudioFormat, mediaName: String) -> [String: String] {
    let quantum = max(latency.frames(rate: format.rate), 16)
    var values = [
      "application.name": applicationName,
      "application.id": applicationID,
      "application.icon-name": applicationIconName,
      "media.type": "Audio",
      "media.category": mediaCategory,
      "media.role": mediaRole,
      "media.name": mediaName,
      "node.name": applicationName,
      "node.rate": "1/\(format.rate)",
      "node.latency": "\(quantum)/\(format.rate)",
      // Where no sink takes the sound, as between two of them and while a role policy corks it, it waits (L8): PipeWire's
      // dummy driver would take it to nobody.
      "node.want-driver": "false",
      // The volume is the player's, who remembers it: one restored by the session manager would undo `--volume`.
      "state.restore-props": "false",
    ]
    if let targetSink {
      values["target.object"] = targetSink
      // The viewer named one sink and no other: without this the session manager falls back to any.
      values["node.dont-reconnect"] = "true"
    }
    return values
  }
}
