import AfterlockCore
import Testing

@Suite struct AudioSessionTests {
  @Test(arguments: [
    (AudioSession.Category.playback, AudioSession.Mode.default, "Music"),
    (.playback, .moviePlayback, "Movie"), (.soloAmbient, .default, "Music"), (.ambient, .default, "Game"),
  ])
  func `Category and mode have a role in PipeWire (P2)`(
    category: AudioSession.Category, mode: AudioSession.Mode, role: String
  ) {
    let session = AudioSession(category: category, mode: mode)
    #expect(session.mediaRole == role && session.mediaCategory == "Playback")
  }

  @Test func `A session is inactive until it is needed (P3)`() {
    #expect(!AudioSession().isActive)
    #expect(AudioSession().category == .playback)
  }
}
