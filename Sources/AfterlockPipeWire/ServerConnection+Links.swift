import AfterlockCore
import AfterlockRealtime
import CAfterlockShims
import CPipeWire

/// Links that go and come, and what is waited for meanwhile. All with the loop's lock held but ``allowOtherSink()``.
extension ServerConnection {
  /// A sink, a stream or a link came or went.
  func linksChanged() {
    guard phase == .connected, watch.isUnlinked != isUnlinked else { return }
    isUnlinked = watch.isUnlinked
    // One that links them knows what to do with them.
    if !isUnlinked, watch.sink != nil { for stream in streams { stream.isOfFormerManager = false } }
    wait { if isUnlinked { $0.begin(.link, at: .now) } else { $0.end(.link) } }
    if linkLoss != nil, !isUnlinked { reportLinkLoss(nil) }
  }

  /// Another session manager has come. WirePlumber 0.4.13 begins a link to a stream that was set up before its time and
  /// never ends with it; a stream that is made anew it does link.
  func sessionManagerChanged() {
    for stream in streams { stream.isOfFormerManager = true }
    if isUnlinked { wait { $0.begin(.link, at: .now) } }
  }

  /// Makes anew the streams that a session manager may be stuck with.
  /// - Returns: whether there are any.
  private func rebuildForManager() -> Bool {
    let stuck = streams.filter(\.isOfFormerManager)
    guard !stuck.isEmpty else { return false }
    for stream in stuck { stream.needsRebuild = true }
    rebuildStreams()
    wait { $0.begin(.link, at: .now) }
    return true
  }

  func wait(_ change: (inout Patience) -> Void) {
    change(&patience)
    guard let patienceTimer else { return }
    let left = patience.next.map { max(($0 - .now) / .nanoseconds(1), 1) }
    afl_loop_arm_timer(loop, patienceTimer, left.map { Int64($0) } ?? 0)
  }

  func patienceEnded() {
    guard phase == .connected else { return wait { $0.endAll() } }
    var due: [Patience.Wait] = []
    wait { due = $0.takeDue(at: .now) }
    for wait in due {
      switch wait {
      case .serverAfterSink:
        if let untoldLoss { report(.sinkLost(untoldLoss)) }
        untoldLoss = nil
      case .link:
        if watch.isUnlinked, rebuildForManager() { break }
        let waiting = streams.filter(\.wantsActive)
        if !watch.hasSessionManager {
          if !waiting.isEmpty { reportLinkLoss(.noSessionManager) }
        } else if waiting.contains(where: \.hasStreamed) {
          reportLinkLoss(.corked)
        }
      case .sinkAfterServer:
        guard let sink = watch.awaited else { break }
        hasLostSink = true
        // Before another one is told of, which would be reason enough to play.
        report(.sinkLost(sink))
        watch.stopAwaiting()
      }
    }
  }

  private func reportLinkLoss(_ loss: LinkLoss?) {
    guard loss != linkLoss else { return }
    linkLoss = loss
    report(.linkLossChanged(loss))
  }

  /// From any thread.
  func allowOtherSink() {
    withLock {
      hasLostSink = false
      guard phase == .connected, watch.awaited != nil else { return }
      wait { $0.end(.sinkAfterServer) }
      watch.stopAwaiting()
    }
  }
}
