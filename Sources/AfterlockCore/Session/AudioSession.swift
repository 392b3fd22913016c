/// How this player's sound is meant, in the platform's words (P2, P3).
public struct AudioSession: Hashable, Sendable {
  /// Whether the sound goes on through lock and silent switch (P2).
  public enum Category: String, Hashable, Sendable, CaseIterable {
    /// Silenced by lock and Ring/Silent switch; mixes with others.
    case ambient
    /// Silenced by lock and Ring/Silent switch: what a phone gives an app that says nothing.
    case soloAmbient
    /// Goes on through both.
    case playback
  }

  /// What kind of playback it is; goes with the category (P2).
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// Music, speech, anything.
    case `default`
    /// The sound of a film.
    case moviePlayback
  }

  /// Whether the sound goes on through lock and silent switch.
  public var category: Category
  /// What kind of playback it is.
  public var mode: Mode
  /// Whether the session is active; changed by the coordinator as the policy says (P3, P13).
  public package(set) var isActive = false

  /// An inactive session.
  public init(category: Category = .playback, mode: Mode = .default) {
    self.category = category
    self.mode = mode
  }

  /// PipeWire's `media.role`: a session manager ducks and corks by it (L8).
  ///
  /// Ambient sound has no claim to the foreground, so it gets the role that every session manager lets others talk over.
  public var mediaRole: String {
    switch (category, mode) {
    case (.playback, .moviePlayback): "Movie"
    case (.playback, .default), (.soloAmbient, _): "Music"
    case (.ambient, _): "Game"
    }
  }

  /// PipeWire's `media.category`: a player's stream is always one that plays.
  public var mediaCategory: String { "Playback" }
}
