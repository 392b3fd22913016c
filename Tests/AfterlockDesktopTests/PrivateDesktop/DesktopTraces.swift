import Foundation

/// What a private desktop has left on the machine.
enum DesktopTraces {
  /// The running processes that belong to a desktop's folder: by their environment or their command line.
  static func processes(of folder: String) -> [Int32] {
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return entries.compactMap { Int32($0) }.filter { pid in
      guard pid != getpid() else { return false }
      return ["environ", "cmdline"].contains { file in
        guard let data = FileManager.default.contents(atPath: "/proc/\(pid)/\(file)") else { return false }
        return data.range(of: Data(folder.utf8)) != nil
      }
    }
  }

  /// Waits until neither a process nor a file of the desktop is left; false after ten seconds.
  static func waitUntilGone(_ folder: String) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(10)
    while FileManager.default.fileExists(atPath: folder) || !processes(of: folder).isEmpty {
      guard ContinuousClock.now < deadline else { return false }
      try? await Task.sleep(for: .milliseconds(5))
    }
    return true
  }
}
