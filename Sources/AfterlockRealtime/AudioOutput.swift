public import AfterlockCore

/// What an output reports, on a thread of its own; facts only.
public enum AudioOutputEvent: Hashable, Sendable {
  /// First connection made. `sink` is the default sink's node name, if there is a sink.
  case connected(sink: String?)
  /// There is no server to begin with; `connected` follows when there is one.
  case serverMissing
  case serverLost
  /// The server is back; every stream has been built again and is inactive.
  case serverRestored(sink: String?)
  /// The last sink went away.
  case routeLost(sink: String?)
  case routeRestored(sink: String)
  /// The sink that was played to has gone. Every stream is held, and starting one does nothing before `allowOtherSink()`,
  /// so that nothing reaches another sink before somebody has said so (L5). Comes after `routeLost` where it was the last.
  case sinkLost(SinkDescription)
  /// Another sink is the one that is played to.
  case sinkChanged(String)
  /// The streams have lost their links though their sink is there, or have them again (`nil`). Nothing of them is lost
  /// meanwhile. A server that goes away ends it, too.
  case linkLossChanged(LinkLoss?)
  /// A mixer changed the volume of our stream.
  case volumeChanged(Volume)
  /// A mixer muted our stream, or let it be heard again; the volume is kept.
  case muteChanged(Bool)
  /// A stream cannot go on at all, with the server's words.
  case failed(String)
}

/// A way to the loudspeakers. One per player.
///
/// Called on: any thread, except that an output never calls itself.
public protocol AudioOutput: Sendable {
  /// Begins to connect, and from then on reconnects by itself, with back-off, until `close`.
  func open(_ handler: @escaping @Sendable (AudioOutputEvent) -> Void)
  /// Makes a stream that takes its samples from `ring`. It is inactive. Works while there is no server: the stream is
  /// made when there is one.
  /// - Throws: what keeps the stream from ever sounding, such as too few file descriptors.
  func makeStream(format: AudioFormat, ring: SampleRing, title: String?) throws(PlaybackFailure)
    -> any AudioStream
  /// Calls `answered` once the server has carried out what was asked of it before, a hold for one: at once where there
  /// is no server, and when it goes away meanwhile.
  func roundTrip(_ answered: @escaping @Sendable () -> Void)
  /// Sets the volume of all streams, now and to come, and undoes a mixer's mute.
  func setVolume(_ volume: Volume)
  /// Lets streams be started again after `sinkLost`, and waits no longer for a sink that went with its server.
  func allowOtherSink()
  /// Closes all streams and the connection; idempotent, and waits until no callback runs any more.
  func close()
}

/// One stream of one format.
public protocol AudioStream: Sendable {
  var format: AudioFormat { get }
  /// Lets the real-time callback run, or holds it. Does not fade: `SampleRing` does.
  func setActive(_ isActive: Bool)
  /// Asks for `drained` once everything that was read from the ring has left the device. Call it after the ring
  /// says that it has been read to its end. A `setActive(false)` cancels the drain.
  func drain(_ drained: @escaping @Sendable () -> Void)
  /// Shows another title in mixers.
  func setTitle(_ title: String?)
  /// Frames of this stream's rate that were read from the ring and are not yet heard; 0 while inactive.
  var latencyFrames: Int { get }
  /// Frames of this stream's rate that were read from the ring and had not been heard when the stream was held or the
  /// server went away; kept until the next `setActive(true)`. What follows the fade of a pause is silence.
  var unheardFrames: Int { get }
  /// Ends the stream; idempotent.
  func close()
}
