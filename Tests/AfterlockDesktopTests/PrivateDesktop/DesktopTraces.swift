import AfterlockTestSupport
import Foundation

/// What a private desktop or a program has left on the machine.
enum DesktopTraces {
  /// The running processes that hold a text in their environment or their command line.
  static func processes(holding text: String) -> [Int32] {
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return entries.compactMap { Int32($0) }.filter { pid in
      guard pid != getpid() else { return false }
      return ["environ", "cmdline"].contains { file in
        guard let data = FileManager.default.contents(atPath: "/proc/\(pid)/\(file)") else { return false }
        return data.range(of: Data(text.utf8)) != nil
      }
    }
  }

  /// Waits until no process holds the text.
  static func waitUntilNoProcess(holds text: String) async throws {
    try await waitUntil("the processes of \(text) to end") { processes(holding: text).isEmpty }
  }

  /// Waits until neither a process nor a file of the desktop is left.
  static func waitUntilGone(_ folder: String) async throws {
    try await waitUntilNoProcess(holds: folder)
    try await waitUntil("\(folder) to go") { !FileManager.default.fileExists(atPath: folder) }
  }
}
