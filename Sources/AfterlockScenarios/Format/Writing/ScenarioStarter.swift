import AfterlockCore

/// The scenario that somebody begins with.
public enum ScenarioStarter {
  /// The text of a file that can be run as it is; its comments say what can be changed.
  public static func text(name: String) -> String {
    """
    // A scenario: an app on a platform, what happens to it there, and what must then be heard.
    // Check this file with "afterlock scenario check FILE", and run it with "afterlock scenario run FILE".
    {
      name: \(JSONLine.quoted(name)),

      // What it shows, and by which rule.
      about: "P6: a video goes on under the side button when its layers are detached early enough",

      // phone, simulator or desktop. A desktop has other actions: lock, sleep, sink.remove, server.kill …
      platform: "phone",

      // The parts of the app. What is left out is as in the complete fix. Take the slashes away to see what this part
      // is for: the video falls silent.
      app: {
        // detachesLayersAt: "didEnterBackground", decidesBy: "state", undoesSystemPause: false,
      },

      // What is played, in order: audio or video, a file or a stream, and how long it is in seconds.
      queue: [
        { title: "Clip", kind: "video", duration: 60 },
      ],

      // What happens, and when: seconds from the start, in order.
      timeline: [
        { at: 0, do: "play" },
        { at: 3, do: "sideButton" },
        { at: 6, do: "unlock" },
        // { at: 7, do: "seek", to: 30 },
        // { at: 8, do: "interruption.begin", kind: "call" },
      ],

      // What is expected: at a time, from one time to another, how often in the whole run, and at the end.
      expect: [
        { at: 4, rate: 1, app: "background", layers: "detached", wantsToPlay: true },
        { from: 0, to: 7, audible: true },
        { reason: "appBackgrounded", times: 0 },
        { outcome: "plays" },
      ],
    }

    """
  }
}
