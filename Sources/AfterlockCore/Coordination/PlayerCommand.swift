/// What a person or a program asks of the player; the same words for the keys of a terminal and for MPRIS.
public enum PlayerCommand: Hashable, Sendable {
  /// Idempotent; goes on at the same position, begins at the start after `stop` and after the end.
  case play
  /// Idempotent.
  case pause
  /// Plays when nothing is heard that a Play would start, else pauses.
  case togglePlayPause
  /// Idempotent; a later `play` begins the entry at its start.
  case stop
  /// Keeps paused or stopped; with nothing to follow the queue ends.
  case next
  /// Restarts the entry after its first 3 s, else goes back; keeps paused or stopped.
  case previous
  /// To a place in the entry. Ignored outside 0…length, and when `in` names another entry than the current one
  /// (MPRIS SetPosition).
  case seek(to: Duration, in: TrackID?)
  /// By an amount; below 0 is 0, beyond the end is `next` (MPRIS Seek).
  case seekBy(Duration)
  /// Sets the loudness.
  case setVolume(Volume)
  /// Moves the loudness by percents of the slider.
  case changeVolume(percent: Double)
  /// Mutes or unmutes; the volume is kept.
  case setMuted(Bool)
  /// Mutes or unmutes, whichever is not the case.
  case toggleMute
  /// Sets what happens at the end of a track and of the queue.
  case setLoopMode(LoopMode)
  /// Goes from no loop to the track's, to the playlist's, and round again.
  case cycleLoopMode
  /// Switches the shuffled order on or off.
  case setShuffled(Bool)
  /// Switches the shuffled order, whichever way it is.
  case toggleShuffled
  /// Goes to an entry of the queue; keeps paused or stopped. An unknown one is ignored.
  case jump(to: TrackID)
  /// Takes an entry out of the queue; what follows the current one goes on in its place, or the queue ends. An unknown one
  /// is ignored.
  case remove(TrackID)
}
