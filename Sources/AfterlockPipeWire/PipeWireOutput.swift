public import AfterlockCore
public import AfterlockRealtime

/// The loudspeakers of a PipeWire desktop.
///
/// Connects by itself, and again whenever the server has been away (L7); waits where there is no sink (L6). The real-time
/// thread only copies from the streams' rings.
///
/// Events come on PipeWire's loop thread with its lock held: a handler must hand them on and not wait for anything that
/// itself waits for this output.
public final class PipeWireOutput: AudioOutput {
  /// `nil` where there were too few file descriptors for PipeWire's loop.
  private let connection: ServerConnection?

  /// Makes an output that does nothing until `open`. Where there are too few file descriptors even for that, it is one
  /// that never connects and refuses every stream.
  public init(_ configuration: PipeWireConfiguration = PipeWireConfiguration()) {
    connection = ServerConnection(configuration)
  }

  deinit { connection?.close() }

  /// Begins to connect on a thread of its own; returns at once. `handler` is called on PipeWire's loop thread.
  public func open(_ handler: @escaping @Sendable (AudioOutputEvent) -> Void) { connection?.open(handler) }

  /// Makes an inactive stream; waits at most for what the loop is doing. From any thread.
  /// - Throws: that too few file descriptors are left: a stream that gets only some of what it needs of the server would
  ///   never sound, and nobody would be told.
  public func makeStream(format: AudioFormat, ring: SampleRing, title: String?) throws(PlaybackFailure)
    -> any AudioStream
  {
    guard let connection else { throw ServerConnection.noLoop }
    if let shortage = connection.shortageForNextStream { throw shortage }
    return connection.add {
      PipeWireStream(
        format: format, ring: ring, title: title, volume: $0, isMuted: $1, connection: connection)
    }
  }

  /// Sets the volume of all streams, now and to come, and undoes a mixer's mute. From any thread.
  public func setVolume(_ volume: Volume) { connection?.setVolume(volume) }

  /// Lets streams be started again after a lost sink. From any thread.
  public func allowOtherSink() { connection?.allowOtherSink() }

  /// Calls `answered` once the server has carried out what was asked of it before, on PipeWire's loop thread; on the
  /// calling one where no server is there to ask. From any thread.
  public func roundTrip(_ answered: @escaping @Sendable () -> Void) {
    guard let connection else { return answered() }
    connection.roundTrip(answered)
  }

  /// Ends all streams and the loop thread; idempotent. From any thread but the loop's own: it waits for that one.
  public func close() { connection?.close() }
}
