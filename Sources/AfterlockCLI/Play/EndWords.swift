import AfterlockCore
import Glibc

/// Why a run of `play` was ended before its list was, in words for the log; pure.
enum EndWords {
  /// - Parameter status: what the program ends with; above 128 a signal's number stands behind it.
  static func message(status: Int32, _ origin: CommandOrigin) -> String {
    switch (status, origin) {
    case (128 + SIGINT, _): "Ctrl-C was pressed (SIGINT)"
    case (128 + SIGHUP, _): "the terminal was closed (SIGHUP)"
    case (128 + SIGQUIT, _): "Ctrl-\\ was pressed (SIGQUIT)"
    case (128 + SIGTERM, _): "it was told to end (SIGTERM)"
    case (3, .engine): "there was no PipeWire"
    case (_, .engine): "something that it needs had ended"
    case (_, .viewer): "q was pressed"
    case (_, .remote): "it was asked to quit over the session bus"
    case (_, .system): "it was told to end"
    }
  }
}
