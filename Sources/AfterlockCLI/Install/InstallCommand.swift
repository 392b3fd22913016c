import AfterlockCore
import Glibc

/// What `afterlock install` is asked for.
struct InstallRequest: Hashable, Sendable {
  let removes: Bool
  let isDryRun: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    removes = arguments.has("uninstall")
    isDryRun = arguments.has("dry-run")
    guard removes || arguments.has("user") else {
      throw UsageError(
        message: "nothing to do: give --user, to install for this user, or --uninstall", command: "install")
    }
  }
}

/// `afterlock install`: what the desktop, the shells and `man` want to know, in the user's own folders.
enum InstallCommand {
  static func run(_ request: InstallRequest) -> Int32 {
    do throws(InstallError) {
      let plan = try plan()
      let installer = Installer(isDryRun: request.isDryRun)
      var isWhole = true
      for file in plan.files {
        let outcome = request.removes ? installer.uninstall(file) : installer.install(file)
        isWhole = isWhole && !outcome.isFault
        tell(outcome, file.path, request)
        guard request.removes, !outcome.isFault, let link = file.link else { continue }
        let linkOutcome = installer.uninstallLink(to: file)
        isWhole = isWhole && !linkOutcome.isFault
        if linkOutcome != .absent { tell(linkOutcome, link, request) }
      }
      if !request.removes, !request.isDryRun, isWhole { tellWhatNext(plan) }
      return isWhole ? 0 : 1
    } catch {
      StandardStream.error.write("afterlock: \(PlainText.line(error.message))\n")
      return 1
    }
  }

  private static func plan() throws(InstallError) -> InstallPlan {
    func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    let folders = try UserFolders(environment)
    var music: String?
    let list = Array("\(folders.configuration)/user-dirs.dirs".utf8)
    if case .bytes(let bytes, _)? = try? FileSystem.read(list, limit: 65_536) {
      music = folders.musicFolder(in: String(decoding: bytes, as: UTF8.self))
    }
    return try InstallPlan(program: try program(), musicFolder: music, environment: environment)
  }

  /// The program that runs, wherever it was found.
  private static func program() throws(InstallError) -> String {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &path, path.count)
    guard count > 0, count < path.count else {
      throw InstallError(message: "it cannot be found out where the program is")
    }
    return String(decoding: path[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func tell(_ outcome: Installer.Outcome, _ path: String, _ request: InstallRequest) {
    let would = request.isDryRun ? "would be " : ""
    let shown = PlainText.line(path)
    switch outcome {
    case .written: print("\(would)written: \(shown)")
    case .rewritten: print("\(would)written anew: \(shown)")
    case .unchanged: print("as it should be: \(shown)")
    case .removed: print("\(would)removed: \(shown)")
    case .removedOther: print("\(would)removed (it was not as this program writes it): \(shown)")
    case .absent: print("not there: \(shown)")
    case .foreign(let why): complain("\(shown) is left as it is: \(why)")
    case .failed(let cause):
      complain("\(shown) cannot be \(request.removes ? "removed" : "written"): \(cause)")
    }
  }

  private static func tellWhatNext(_ plan: InstallPlan) {
    let music = PlainText.line(plan.musicFolder)
    let hint =
      access(plan.musicFolder, F_OK) == 0
      ? ""
      : "\n(First name something to play in ~/.config/afterlock/service.conf, AFTERLOCK_PLAY=…: there is no \(music).)"
    print(
      """

      A player that waits for the media keys, at each login: systemctl --user enable --now afterlock\(hint)
      Offer it for files in file managers: update-desktop-database \(PlainText.line(plan.dataFolder))/applications
      For man, where it does not find the page: export MANPATH=\(PlainText.line(plan.manFolder)):
      For zsh, before compinit in ~/.zshrc: fpath=(\(PlainText.line(plan.zshFolder)) $fpath)
      """)
  }

  private static func print(_ line: String) { StandardStream.output.write(line + "\n") }
  private static func complain(_ line: String) { StandardStream.error.write("afterlock: \(line)\n") }
}
