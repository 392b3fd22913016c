import AfterlockCore
import AfterlockRealtime
import CAfterlockShims
import CPipeWire
import Glibc
import Synchronization

/// What the connection does to a stream, and what the server says of it. All with the loop's lock held.
extension PipeWireStream {
  /// The id of its node at the server, once that is known.
  var nodeID: UInt32? {
    guard let handle else { return nil }
    let id = pw_stream_get_node_id(handle)
    return id == UInt32.max ? nil : id
  }

  var mediaName: String { title ?? connection.configuration.applicationName }

  /// Makes the stream at the server; the first time, and again after the server was lost or the stream taken away.
  func create(core: OpaquePointer, loop: UnsafeMutablePointer<pw_loop>) {
    guard handle == nil, !isClosed else { return }
    let properties = makeProperties(connection.configuration.properties(for: format, mediaName: mediaName))
    guard let stream = pw_stream_new(core, mediaName, properties) else {
      return refused(errno)
    }
    handle = stream
    isOfFormerManager = false
    let data = Unmanaged.passUnretained(self).toOpaque()
    realtime.pointee.stream = stream
    realtime.pointee.loop = loop
    realtime.pointee.clock = nil
    if whenDrained != nil { realtime.pointee.drain.store(.asked, ordering: .releasing) }
    realtime.pointee.wakeEvent = afl_loop_add_event(loop, streamWoken, data)
    pw_stream_add_listener(stream, hook, &connection.tables.pointee.stream, data)
    let positions = format.channels.map(\.spaChannel)
    let result = afl_stream_connect_output(
      stream, UInt32(format.rate), UInt32(format.channelCount), positions, !wantsActive)
    guard result >= 0, realtime.pointee.wakeEvent != nil else {
      destroy()
      return refused(result < 0 ? -result : EMFILE)
    }
  }

  /// The stream could not be made. What is missing, descriptors for one, may be there a little later.
  func refused(_ error: CInt) {
    connection.streamFailed(
      self, message: "PipeWire refuses a stream of \(format.rate) Hz: error \(error).")
  }

  /// Takes the stream away from the server and leaves the ring as it is, and who waits for its end. Idempotent.
  func destroy() {
    guard let stream = handle else { return }
    noteUnheard()
    handle = nil
    hasStreamed = false
    isVolumeSettled = false
    isVolumeDue = false
    afl_hook_remove(hook)
    pw_stream_destroy(stream)
    if let event = realtime.pointee.wakeEvent, let loop = realtime.pointee.loop {
      afl_loop_destroy_source(loop, event)
    }
    realtime.pointee.wakeEvent = nil
    realtime.pointee.stream = nil
    realtime.pointee.clock = nil
  }

  /// Keeps how much was on its way, until the stream is started again or sounds; from now on nothing is.
  func noteUnheard() {
    let frames = realtime.pointee.played.unheard(readIndex: ring.readIndex, rate: format.rate)
    if frames > 0 { unheard.store(frames, ordering: .releasing) }
    realtime.pointee.played.reset()
  }

  func forgetUnheard() { unheard.store(0, ordering: .releasing) }

  func cancelDrain() {
    whenDrained = nil
    realtime.pointee.drain.store(.none, ordering: .releasing)
  }

  /// - Parameter isMuted: by a mixer; what is muted here has the volume 0.
  func setVolume(_ volume: Volume, isMuted: Bool) {
    self.volume = volume
    self.isMuted = isMuted
    guard let handle else { return }
    guard isVolumeSettled else { return }
    let values = [Float](repeating: Float(volume.linear), count: format.channelCount)
    afl_stream_set_volume(handle, values, UInt32(values.count), isMuted)
  }

  func stateChanged(to state: pw_stream_state, error: String?) {
    switch state {
    case PW_STREAM_STATE_ERROR, PW_STREAM_STATE_UNCONNECTED:
      // The session manager refuses the stream, or takes it away because its pinned sink has gone.
      noteUnheard()
      connection.streamFailed(self, message: error ?? "PipeWire took the stream away.")
    case PW_STREAM_STATE_PAUSED, PW_STREAM_STATE_STREAMING:
      needsRebuild = false
      connection.streamBound()
      if state == PW_STREAM_STATE_STREAMING {
        // Not before: a stream that is made again and refused again is paused in between.
        failures = 0
        hasStreamed = true
        forgetUnheard()
      }
    default: break
    }
  }

  func controlChanged(id: UInt32, values: UnsafeBufferPointer<Float>) {
    if id == afl_prop_mute(), isVolumeSettled, let value = values.first, (value != 0) != isMuted {
      isMuted = value != 0
      connection.mixerChangedMute(isMuted, of: self)
    }
    guard id == afl_prop_channel_volumes() else { return }
    guard values.count == format.channelCount, let loudest = values.max() else {
      isVolumeSettled = false
      return
    }
    guard isVolumeSettled else {
      // With its format the stream got new channel volumes, all at 100 %: now ours can be set, before it sounds. Not
      // from in here: the same news comes twice, and the second would look like a mixer's doing.
      isVolumeDue = true
      if let loop = realtime.pointee.loop, let event = realtime.pointee.wakeEvent {
        afl_loop_signal_event(loop, event)
      }
      return
    }
    let heard = Volume(linear: Double(loudest))
    guard abs(heard.slider - volume.slider) > 1e-4 else { return }
    volume = heard
    connection.mixerChangedVolume(heard, of: self)
  }

  /// The loop was woken: the last real frame has left, or the volume can be set.
  func wake() {
    if isVolumeDue {
      isVolumeDue = false
      isVolumeSettled = true
      setVolume(volume, isMuted: isMuted)
    }
    guard realtime.pointee.drain.load(ordering: .acquiring) == .done, let drained = whenDrained else {
      return
    }
    whenDrained = nil
    drained()
  }
}

func streamStateChanged(
  _ data: UnsafeMutableRawPointer?, _ old: pw_stream_state, _ new: pw_stream_state,
  _ error: UnsafePointer<CChar>?
) {
  stream(data)?.stateChanged(to: new, error: error.map { String(cString: $0) })
}

func streamControlInfo(
  _ data: UnsafeMutableRawPointer?, _ id: UInt32, _ control: UnsafePointer<pw_stream_control>?
) {
  guard let control else { return }
  stream(data)?.controlChanged(
    id: id, values: UnsafeBufferPointer(start: control.pointee.values, count: Int(control.pointee.n_values)))
}

func streamIOChanged(
  _ data: UnsafeMutableRawPointer?, _ id: UInt32, _ area: UnsafeMutableRawPointer?, _ size: UInt32
) {
  guard id == SPA_IO_Position.rawValue else { return }
  stream(data)?.realtime.pointee.clock = area?.assumingMemoryBound(to: spa_io_position.self)
}

/// Called on: PipeWire's real-time thread. The context lies behind the stream object, so that the event table needs one
/// kind of data only.
@_noLocks @_noAllocation
func streamProcess(_ data: UnsafeMutableRawPointer?) {
  guard let data else { return }
  Unmanaged<PipeWireStream>.fromOpaque(data)._withUnsafeGuaranteedRef { processStream($0.realtime) }
}

private func streamWoken(_ data: UnsafeMutableRawPointer?, _ count: UInt64) {
  stream(data)?.wake()
}

private func stream(_ data: UnsafeMutableRawPointer?) -> PipeWireStream? {
  data.map { Unmanaged<PipeWireStream>.fromOpaque($0).takeUnretainedValue() }
}

extension ChannelPosition {
  /// PipeWire's number for the position.
  var spaChannel: UInt32 {
    switch self {
    case .mono: SPA_AUDIO_CHANNEL_MONO.rawValue
    case .frontLeft: SPA_AUDIO_CHANNEL_FL.rawValue
    case .frontRight: SPA_AUDIO_CHANNEL_FR.rawValue
    case .frontCenter: SPA_AUDIO_CHANNEL_FC.rawValue
    case .lowFrequency: SPA_AUDIO_CHANNEL_LFE.rawValue
    case .sideLeft: SPA_AUDIO_CHANNEL_SL.rawValue
    case .sideRight: SPA_AUDIO_CHANNEL_SR.rawValue
    case .frontLeftOfCenter: SPA_AUDIO_CHANNEL_FLC.rawValue
    case .frontRightOfCenter: SPA_AUDIO_CHANNEL_FRC.rawValue
    case .rearCenter: SPA_AUDIO_CHANNEL_RC.rawValue
    case .rearLeft: SPA_AUDIO_CHANNEL_RL.rawValue
    case .rearRight: SPA_AUDIO_CHANNEL_RR.rawValue
    }
  }
}
