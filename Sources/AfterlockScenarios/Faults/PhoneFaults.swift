/// Makes the crash and the refusal that an app on a phone comes to: both are real, and each is made once for a process.
package struct PhoneFaults: Sendable {
  /// Sources that a device's build is asked about.
  enum Source: Hashable, Sendable {
    /// The reason of a rate change crosses in its notification.
    case reasonAsNotification
    /// It crosses as a string: the remedy.
    case reasonAsString
  }

  /// The `afterlock` program, which is run again as the app that crashes; `nil` where there is none.
  let program: String?
  /// Where programs are looked for, as in `PATH`; `nil` for this process's own.
  let searchPath: String?

  /// - Parameters:
  ///   - program: the `afterlock` program; the one that runs, or that was built beside the one that runs.
  ///   - searchPath: where the compiler is looked for.
  package init(program: String? = PhoneChild.program, searchPath: String? = nil) {
    self.program = program
    self.searchPath = searchPath
  }

  /// The crash of an artwork closure that was formed in main-actor code (P9).
  func crash() async -> ScenarioFault {
    await Cache.shared.fault(of: .crash(program)) { await PhoneCrash(program: program).fault() }
      ?? PhoneCrash.survival
  }

  /// What the device's build has against a source; `nil` when it compiles (P10).
  func refusal(of source: Source) async -> ScenarioFault? {
    await Cache.shared.fault(of: .build(source, searchPath)) {
      await DeviceBuild(searchPath: searchPath).fault(in: source)
    }
  }

  private enum Key: Hashable, Sendable {
    case crash(String?)
    case build(Source, String?)
  }

  /// Many runs ask for the same fault: it is made once, by the first.
  private actor Cache {
    static let shared = Cache()
    private var tasks: [Key: Task<ScenarioFault?, Never>] = [:]

    func fault(
      of key: Key, make: @escaping @Sendable () async -> ScenarioFault?
    ) async -> ScenarioFault? {
      if let task = tasks[key] { return await task.value }
      let task = Task { await make() }
      tasks[key] = task
      return await task.value
    }
  }
}
