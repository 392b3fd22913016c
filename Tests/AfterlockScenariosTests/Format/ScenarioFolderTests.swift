import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockScenarios

/// glibc's own, which its Swift module leaves out: for the calling thread alone.
@_silgen_name("setfsuid")
private func setFileSystemUser(_ user: UInt32) -> Int32

/// Files and folders that are named on a command line.
@Suite struct ScenarioFolderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func message(_ body: () throws -> Void) -> String? {
    let error = #expect(throws: ScenarioFileError.self) { try body() }
    return error?.description.replacing(folder.path, with: "T")
  }

  @Test func `Folders give their scenario files in order, files themselves, and each only once`() throws {
    for name in ["b.json5", "a/z.json5", "a/b/c.json5", "a/readme.md", ".hidden/x.json5", "d.json5/y.json5"] {
      try folder.write(name, text: "")
    }
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("a/loop"), withDestinationPath: folder.path)
    let below = try ScenarioFolder.files(under: folder.path)
    #expect(
      below.map { $0.replacing(folder.path, with: "T") } == [
        "T/a/b/c.json5", "T/a/z.json5", "T/b.json5", "T/d.json5/y.json5",
      ])
    let named = try ScenarioFolder.files(under: [
      folder.file("b.json5"), folder.file("a/readme.md"), folder.path + "/",
    ])
    #expect(
      named.map { $0.replacing(folder.path, with: "T") } == [
        "T/b.json5", "T/a/readme.md", "T/a/b/c.json5", "T/a/z.json5", "T/d.json5/y.json5",
      ])
  }

  @Test func `What is not there, and a folder without a scenario, are named`() throws {
    try folder.write("empty/readme.md", text: "")
    #expect(
      message { _ = try ScenarioFolder.files(under: folder.file("lock")) }
        == "T/lock: there is no such file or folder")
    #expect(
      message { _ = try ScenarioFolder.files(under: [folder.file("empty")]) }
        == "T/empty: has no scenario in it; their names end in .json5")
  }

  @Test func `What cannot be read is said of the file`() throws {
    #expect(message { _ = try ScenarioFile.read(folder.file("a")) } == "T/a: there is no such file or folder")
    #expect(message { _ = try ScenarioFile.read(folder.path) } == "T: is a folder, and has to be a file")
    #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
    #expect(
      message { _ = try ScenarioFile.read(folder.file("pipe")) } == "T/pipe: is no file that can be read")
    let large = try folder.write("large", Data(repeating: 0x20, count: ScenarioFile.largest + 1))
    #expect(
      message { _ = try ScenarioFile.read(large) } == "T/large: is larger than 1 MB, and no scenario is")
    let latin = try folder.write("latin", Data("{\n name: 'caf".utf8) + [0xE9] + Data("' }".utf8))
    #expect(message { _ = try ScenarioFile.read(latin) } == "T/latin:2:12: is not UTF-8 text from here on")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("ring"), withDestinationPath: folder.file("ring"))
    #expect(
      message { _ = try ScenarioFile.read(folder.file("ring")) } == "T/ring: is no file that can be read")
  }

  @Test func `A file that must not be read says so`() throws {
    let secret = try folder.write("secret.json5", text: ScenarioFileTests.example)
    let open = try folder.write("open.json5", text: ScenarioFileTests.example)
    #expect(chmod(folder.path, 0o755) == 0 && chmod(secret, 0) == 0 && chmod(open, 0o644) == 0)
    // Nothing is forbidden to the superuser, and so this thread looks at files as somebody else.
    if getuid() == 0 { _ = setFileSystemUser(65_534) }
    defer { if getuid() == 0 { _ = setFileSystemUser(0) } }
    #expect(
      message { _ = try ScenarioFile.read(secret) } == "T/secret.json5: cannot be read: permission denied")
    #expect(try ScenarioFile.read(open).queue.count == 1)
  }

  @Test func `A byte order mark does no harm`() throws {
    let path = try folder.write(
      "mark.json5", Data([0xEF, 0xBB, 0xBF]) + Data(ScenarioFileTests.example.utf8))
    #expect(try ScenarioFile.read(path).queue.count == 1)
  }

  @Test func `A failed start says where on the line a byte stands`() throws {
    let error = #expect(throws: ScenarioFileError.self) {
      try ScenarioFile.parse("\u{FEFF}{\r\n\tname: 'é' 'x' }", named: "F")
    }
    #expect(error?.code == .malformed)
    #expect(error?.description == "F:2:12: a comma is missing before '''")
  }
}
