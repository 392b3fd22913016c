import AfterlockCore
import Foundation
import PhoneFramework

/// An app that plays, cut down to the one call that matters: the media framework asks it for the picture, off the main
/// thread (P9). It runs in a process of its own, since a broken one takes its process with it.
public enum PhoneChild {
  /// The word of the `afterlock` command line that asks for it, before the word for where the closure is formed. For
  /// scenarios alone, and in no help.
  static let word = "__phone-app"
  /// The side of the picture that is asked for, in pixels.
  private static let side = 512

  /// Which app the command line asks for; `nil` where it asks for something else.
  public static func origin(in words: [String]) -> AppParts.ArtworkOrigin? {
    guard words.count == 2, words[0] == word else { return nil }
    return AppParts.ArtworkOrigin(rawValue: words[1])
  }

  /// Is that app, until the picture has come. Called on: the initial thread, which waits meanwhile.
  @MainActor
  public static func run(_ origin: AppParts.ArtworkOrigin) {
    let artwork = origin == .mainActor ? artworkFromMainActor() : artwork()
    let isDone = DispatchSemaphore(value: 0)
    artwork.request(side: side) { @Sendable bytes in
      print("the picture has \(bytes.count) bytes")
      isDone.signal()
    }
    isDone.wait()
  }

  /// The fault: nothing in the closure touches the main actor, and yet it is checked to be there.
  @MainActor
  private static func artworkFromMainActor() -> MediaItemArtwork {
    MediaItemArtwork { side in PhoneHabits.picture(side: side).bytes }
  }

  /// The remedy: the same closure, formed in nonisolated code.
  private nonisolated static func artwork() -> MediaItemArtwork {
    MediaItemArtwork { side in PhoneHabits.picture(side: side).bytes }
  }

  /// The `afterlock` program: this process's own, or the one that was built beside it, as for tests.
  static let program: String? = {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    for start in [own] + CommandLine.arguments.filter({ $0.hasSuffix(".xctest") }) where !start.isEmpty {
      var folder = URL(fileURLWithPath: start).deletingLastPathComponent()
      for _ in 0..<4 {
        let program = folder.appendingPathComponent(ProgramIdentity.name).path
        if isProgram(program) { return program }
        folder.deleteLastPathComponent()
      }
    }
    return nil
  }()

  private static func isProgram(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    return exists && !isFolder.boolValue && FileManager.default.isExecutableFile(atPath: path)
  }
}
