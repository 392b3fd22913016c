import CAfterlockShims
import CPipeWire

/// What the connection and its streams hear. PipeWire keeps the addresses of these for as long as anything listens.
struct EventTables {
  var core = pw_core_events()
  var stream = pw_stream_events()
  var coreHook = spa_hook()

  init() {
    core.version = UInt32(PW_VERSION_CORE_EVENTS)
    core.done = coreDone
    core.error = coreError
    stream.version = UInt32(PW_VERSION_STREAM_EVENTS)
    stream.state_changed = streamStateChanged
    stream.control_info = streamControlInfo
    stream.io_changed = streamIOChanged
    stream.process = streamProcess
  }
}

// Called on: the loop's thread, with its lock held.

func connectionTimerFired(_ data: UnsafeMutableRawPointer?, _ expirations: UInt64) {
  connection(data)?.timerFired()
}

func connectionPatienceEnded(_ data: UnsafeMutableRawPointer?, _ expirations: UInt64) {
  connection(data)?.patienceEnded()
}

private func coreDone(_ data: UnsafeMutableRawPointer?, _ id: UInt32, _ sequence: Int32) {
  guard id == afl_id_core() else { return }
  connection(data)?.coreDone(sequence: sequence)
}

private func coreError(
  _ data: UnsafeMutableRawPointer?, _ id: UInt32, _ sequence: Int32, _ result: Int32,
  _ message: UnsafePointer<CChar>?
) {
  connection(data)?.coreError(id: id, result: result)
}

private func connection(_ data: UnsafeMutableRawPointer?) -> ServerConnection? {
  data.map { Unmanaged<ServerConnection>.fromOpaque($0).takeUnretainedValue() }
}
