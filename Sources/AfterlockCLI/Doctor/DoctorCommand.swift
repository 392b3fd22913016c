import AfterlockCore
import AfterlockDesktop
import AfterlockEngine
import Glibc

/// `afterlock doctor`: what is here, and what to do about what is not.
@MainActor
enum DoctorCommand {
  static func run(asJSON: Bool) -> Int32 {
    guard AfterlockCommand.hasDescriptors() else { return 1 }
    let loop = MainLoop()
    loop.onSignal = { signal in
      if [SIGINT, SIGTERM, SIGHUP, SIGQUIT].contains(signal) { loop.stop(status: 128 + signal) }
    }
    Task {
      let report = await Doctor.run(codecs: { codecs() })
      StandardStream.output.write(asJSON ? report.json : report.text(colour: hasColor))
      loop.stop(status: report.verdict == .failure ? 1 : 0)
    }
    return loop.run()
  }

  private static var hasColor: Bool {
    let environment = TerminalEnvironment { name in getenv(name).map { String(cString: $0) } }
    return isatty(STDOUT_FILENO) == 1 && environment.style.hasColor
  }

  /// What can be decoded.
  nonisolated static func codecs() -> [DoctorReport.Finding] {
    var findings = [DoctorReport.Finding(.ok, "WAV and FLAC through \(MediaSupport.plainReader)")]
    do throws(PlaybackFailure) {
      let (decoded, missing) = try MediaSupport.formats()
      findings.append(.init(.ok, "through FFmpeg: \(decoded.joined(separator: ", "))"))
      if !missing.isEmpty {
        let advice = "install a complete FFmpeg: apt install ffmpeg"
        findings.append(
          .init(.warning, "FFmpeg here cannot decode \(missing.joined(separator: ", "))", advice: advice))
      }
    } catch {
      findings.append(.init(.warning, error.message, advice: "apt install ffmpeg"))
    }
    return findings
  }
}
