import AfterlockCore
import AfterlockRealtime
import AfterlockScenarios
import Glibc

/// glibc's own, which its Swift module leaves out.
@_silgen_name("mallopt")
private func setAllocatorOption(_ option: Int32, _ value: Int32) -> Int32

/// The command `afterlock`.
@main
struct AfterlockCommand {
  static func main() {
    // Each change of format makes PipeWire's converters anew, a megabyte or more of them. Left to itself, the allocator
    // learns from that to keep such blocks, one set for each thread.
    let mmapThreshold: Int32 = -3
    _ = setAllocatorOption(mmapThreshold, 131_072)
    openStandardStreams()
    // A scenario whose app crashes has it crash in a process of its own, which is this program.
    if let origin = PhoneChild.origin(in: Array(CommandLine.arguments.dropFirst())) {
      return PhoneChild.run(origin)
    }
    raiseDescriptorLimit()
    exit(run(CommandLineBytes.words()))
  }

  /// A standard stream that was closed when we were started becomes /dev/null. Left closed, its number would be given to
  /// the next thing that is opened, and what is meant for a person would be written there.
  private static func openStandardStreams() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest free number, which is this one.
      _ = open("/dev/null", O_RDWR)
    }
  }

  /// Each change of format takes a score of descriptors for a moment. Up to what `select` can count, since libraries and
  /// the programs of a private desktop may use it; that is also what a desktop usually allows.
  private static func raiseDescriptorLimit() {
    var limits = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limits) == 0, limits.rlim_cur < 1024 else { return }
    limits.rlim_cur = min(limits.rlim_max, 1024)
    _ = setrlimit(resource, &limits)
  }

  /// Whether there are the descriptors to begin with: Dispatch ends a process that cannot open its own. Says so when there
  /// are not.
  static func hasDescriptors() -> Bool {
    // Five are Dispatch's, six the output's loop, 24 the rest of the output; signals, files, a log. The bus is not counted: without it the player plays on.
    guard let shortage = FileDescriptors.shortage(of: 43) else { return true }
    StandardStream.error.write("afterlock: \(PlainText.clause(shortage.message))\n")
    return false
  }

  @MainActor
  static func run(_ words: [[UInt8]]) -> Int32 {
    do throws(UsageError) {
      switch try CommandLineRequest(words) {
      case .show(let text):
        StandardStream.output.write(text)
        return StandardStream.ending(0)
      case .play(let options): return PlayCommand.run(options)
      case .noise(let options): return NoiseCommand.run(options)
      case .control(let request, let player):
        return StandardStream.ending(ControlCommand.run(request, player: player))
      case .why(let request): return StandardStream.ending(WhyCommand.run(request))
      case .scenario(let request): return StandardStream.ending(try ScenarioCommand.run(request))
      case .install(let request): return StandardStream.ending(InstallCommand.run(request))
      case .doctor(let asJSON): return StandardStream.ending(DoctorCommand.run(asJSON: asJSON))
      }
    } catch {
      StandardStream.error.write("afterlock: \(error.message)\n")
      let topic = error.command.map { "afterlock \($0) --help" } ?? "afterlock --help"
      StandardStream.error.write("Try \"\(topic)\" for more.\n")
      return 2
    }
  }
}

/// The words of the command line as the system gave them: names are bytes, in no promised encoding.
enum CommandLineBytes {
  /// Without the program's own name.
  static func words() -> [[UInt8]] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      CommandLine.unsafeArgv[index].map { word in
        Array(UnsafeRawBufferPointer(start: word, count: strlen(word)))
      }
    }
  }
}
