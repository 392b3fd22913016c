import AfterlockCore
import AfterlockPipeWire
import AfterlockTestSupport
import Foundation
import Testing

@testable import AfterlockCLI
@testable import AfterlockDesktop

@Suite("What is installed")
struct InstallPlanTests {
  private func plan(
    _ program: String = "/opt/after lock/afterlock", music: String? = nil, _ variables: [String: String] = [:]
  ) throws -> InstallPlan {
    let environment = ["HOME": "/home/me"].merging(variables) { $1 }
    return try InstallPlan(program: program, musicFolder: music) { environment[$0] }
  }

  @Test func `stands in the user's own folders`() throws {
    let paths = try plan().files.map(\.path)
    let data = "/home/me/.local/share"
    #expect(
      paths == [
        "\(data)/applications/afterlock.desktop", "\(data)/icons/hicolor/scalable/apps/afterlock.svg",
        "/home/me/.config/systemd/user/afterlock.service", "\(data)/man/man1/afterlock.1",
        "\(data)/bash-completion/completions/afterlock", "\(data)/zsh/site-functions/_afterlock",
        "\(data)/fish/vendor_completions.d/afterlock.fish",
      ])
    let moved = try plan(["XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "/c", "HOME": "/home/me/"]).files.map(
      \.path)
    #expect(moved.allSatisfy { $0.hasPrefix("/d/") || $0.hasPrefix("/c/systemd/user/") })
    #expect(try plan(["XDG_DATA_HOME": "d", "XDG_CONFIG_HOME": ""]).files.map(\.path) == paths)
  }

  private func plan(_ variables: [String: String]) throws -> InstallPlan {
    try plan("/opt/afterlock", variables)
  }

  @Test func `says in each file who wrote it`() throws {
    for file in try plan().files {
      let start = String(file.contents.prefix(InstallPlan.markerReach))
      #expect(start.contains(InstallPlan.marker), "\(file.path)")
      #expect(file.contents.hasSuffix("\n"))
    }
  }

  @Test func `the desktop's entry is the one that the player names on the bus`() throws {
    let files = try plan().files
    #expect(files[0].path.hasSuffix("/\(MPRISProperties.desktopEntry).desktop"))
    #expect(files[1].path.hasSuffix("/\(MPRISProperties.desktopEntry).svg"))
    #expect(files[0].contents.contains("\nIcon=\(MPRISProperties.desktopEntry)\n"))
    #expect(files[0].contents.contains("\nName=\(MPRISProperties.identity)\n"))
    // And the one that the sound server has: a mixer finds entry and icon by it.
    let output = PipeWireConfiguration()
    #expect(output.applicationID == MPRISProperties.desktopEntry)
    #expect(output.applicationIconName == MPRISProperties.desktopEntry)
    #expect(output.applicationName == MPRISProperties.identity)
    #expect(DesktopSession.busName.hasSuffix(".\(MPRISProperties.desktopEntry)"))
    #expect(ProgramDescription.afterlock.name == MPRISProperties.desktopEntry)
  }

  @Test func `the entry is for the files that are opened, by the one table, and for no folder and no film`()
    throws
  {
    let entry = try plan().files[0].contents
    let line = try #require(entry.split(separator: "\n").first { $0.hasPrefix("MimeType=") })
    let types = line.dropFirst("MimeType=".count).split(separator: ";").map(String.init)
    #expect(types == types.sorted() && Set(types).count == types.count)
    let others = Set(MediaTypes.mimeTypes).subtracting(types)
    #expect(Set(types).isSubset(of: MediaTypes.mimeTypes))
    #expect(others.contains("inode/directory") && others.contains("video/mp4"))
    #expect(others.allSatisfy { $0 == "inode/directory" || $0.hasPrefix("video/") }, "\(others)")
    // As music has been called and is called now: a desktop goes by one name of each.
    for type in ["audio/flac", "audio/mpeg", "audio/vnd.wave", "audio/x-wav", "audio/mp4", "audio/x-scpls"] {
      #expect(types.contains(type), "\(type)")
    }
  }

  @Test(arguments: [
    "relative/afterlock", "", "/a\nb", "/a\u{7F}", "/a\u{FFFD}b", "/a\"b", "/a\\b", "/a'b", "/a=b/afterlock",
  ])
  func `a path that no file can hold is refused`(program: String) {
    #expect(throws: InstallError.self) { try plan(program) }
  }

  @Test(arguments: ["", "here"])
  func `without a home there is nowhere to install`(home: String) {
    let error = #expect(throws: InstallError.self) { try plan(["HOME": home]) }
    #expect(error?.message == "HOME names no folder, so there is none to install into")
  }

  @Test(arguments: ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"])
  func `a folder that no file can name is refused`(variable: String) throws {
    for path in ["/home/me\nExecStart=x", "/home/\u{7}", "/home/\u{7F}", "/home/\u{FFFD}"] {
      let error = #expect(throws: InstallError.self) { try plan([variable: path]) }
      #expect(error?.message.hasPrefix("\(variable) names a folder that cannot be installed into: ") == true)
      #expect(error?.message.contains("\n") == false)
    }
  }

  @Test func `the music folder is read as the desktop reads it`() throws {
    let folders = try UserFolders { ["HOME": "/home/me"][$0] }
    // A folder that is the home itself stands for none.
    for none in ["$HOME/", "$HOME//", "/home/me", "/home/me/"] {
      #expect(folders.musicFolder(in: "XDG_MUSIC_DIR=\"\(none)\"\n") == nil, "\(none)")
    }
    for (value, folder) in [
      (#"$HOME/Mu\"s \$x \\ %n \`y\`"#, #"/home/me/Mu"s $x \ %n `y`"#), (#"/srv/a\b"#, "/srv/ab"),
      ("$HOME/Music/", "/home/me/Music"), ("/", "/"), (#"\$HOME/x"#, nil), (#"/a\"#, nil),
      ("$HOMEx/a", nil),
    ] as [(String, String?)] {
      #expect(folders.musicFolder(in: "XDG_MUSIC_DIR=\"\(value)\"\n") == folder, "\(value)")
    }
    // As a shell would have it: the last one holds, and the quote ends it.
    let lines = "\tXDG_MUSIC_DIR = \"$HOME/a\"\nXDG_MUSIC_DIR=\"$HOME/b\" # c\n"
    #expect(folders.musicFolder(in: lines) == "/home/me/b")
    #expect(folders.musicFolder(in: lines + "XDG_MUSIC_DIR=\"$HOME/\"\n") == nil)
  }

  @Test func `the music folder is the desktop's`() throws {
    let folders = try UserFolders { ["HOME": "/home/me"][$0] }
    #expect(folders.musicFolder(in: "# x\nXDG_MUSIC_DIR=\"$HOME/Musik\"\n") == "/home/me/Musik")
    #expect(folders.musicFolder(in: "XDG_MUSIC_DIR=\"/srv/my music\"") == "/srv/my music")
    for text in ["", "XDG_MUSIC_DIR=\"Musik\"", "XDG_MUSIC_DIR=$HOME/Musik", "XDG_MUSIC_DIR="] {
      #expect(folders.musicFolder(in: text) == nil, "\(text)")
    }
    let unit = try plan(music: "/srv/100% \"music\"").files[2].contents
    #expect(unit.contains(#"Environment="AFTERLOCK_PLAY=/srv/100%% \"music\"""#))
    #expect(try plan().files[2].contents.contains("AFTERLOCK_PLAY=/home/me/Music\""))
  }

  @Test(arguments: ["/opt/afterlock", "/opt/after lock/afterlock", "/opt/50% $x `y` &z/afterlock"])
  func `the desktop and systemd find nothing wrong`(path: String) async throws {
    let folder = try TemporaryFolder()
    // It has to be there: both look.
    let program = folder.path + path
    try folder.write(String(path.dropFirst()), text: "#!/bin/sh\n")
    #expect(chmod(program, 0o755) == 0)
    let files = try plan(program, ["HOME": folder.path]).files
    for (index, checker) in [(0, ["desktop-file-validate"]), (2, ["systemd-analyze", "--user", "verify"])] {
      let name = String(files[index].path.split(separator: "/").last ?? "")
      let file = try folder.write(name, text: files[index].contents)
      // The page that the unit names is not installed here.
      let more = index == 2 ? ["--man=no"] : []
      let output = try await Command.run(
        checker[0], Array(checker.dropFirst()) + more + [file],
        environment: ["HOME": folder.path, "PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": folder.path])
      #expect(output.status == .code(0), "\(output.text)\(output.errorText)")
      let complaints = output.errorText.split(separator: "\n").filter { $0.contains(name) }
      #expect(complaints.isEmpty && output.text.isEmpty, "\(output.text)\(output.errorText)")
    }
  }

  @Test func `a fault of the entry is found`() async throws {
    let folder = try TemporaryFolder()
    let entry = try plan().files[0].contents.replacing("Type=Application\n", with: "")
    let output = try await Command.run("desktop-file-validate", [try folder.write("x.desktop", text: entry)])
    #expect(output.status != .code(0))
  }

  @Test func `the icon is well-formed`() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("x.svg", text: try plan().files[1].contents)
    let output = try await Command.run(
      "python3", ["-c", "import sys, xml.dom.minidom as x; x.parse(sys.argv[1])", file])
    #expect(output.status == .code(0), "\(output.errorText)")
  }
}

@Suite("Writing and removing what is installed")
struct InstallerTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func file(_ name: String = "a/b/c", _ text: String = "1") -> InstalledFile {
    InstalledFile(path: folder.file(name), contents: "\(InstallPlan.marker)\n\(text)\n")
  }

  private var everything: [String] {
    (FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []).sorted()
  }

  private let installer = Installer(isDryRun: false)

  @Test func `is done once, again where it is other, and undone`() throws {
    #expect(installer.uninstall(file()) == .absent)
    #expect(installer.install(file()) == .written)
    #expect(try String(contentsOfFile: file().path, encoding: .utf8) == file().contents)
    let mode = try FileManager.default.attributesOfItem(atPath: file().path)[.posixPermissions] as? Int
    #expect(mode.map { $0 & 0o777 } == 0o644)
    #expect(installer.install(file()) == .unchanged)
    #expect(installer.install(file("a/b/c", "2")) == .rewritten)
    #expect(everything == ["a", "a/b", "a/b/c"], "nothing is left lying about")
    #expect(installer.uninstall(file()) == .removedOther && installer.uninstall(file()) == .absent)
    #expect(installer.install(file()) == .written && installer.uninstall(file()) == .removed)
    #expect(everything == ["a", "a/b"])
  }

  @Test(
    arguments: [
      ("OWN", true), ("../unit", true), ("/usr/lib/unit", false), ("unit", false), (nil, false),
    ] as [(String?, Bool)])
  func `a link that leads to the file goes, and no other`(target: String?, goes: Bool) throws {
    var unit = file("unit")
    #expect(installer.uninstallLink(to: unit) == .absent, "it has none")
    let link = folder.file("wants/unit")
    unit.link = link
    #expect(installer.uninstallLink(to: unit) == .absent)
    try FileManager.default.createDirectory(atPath: folder.file("wants"), withIntermediateDirectories: true)
    if let target {
      try FileManager.default.createSymbolicLink(
        atPath: link, withDestinationPath: target == "OWN" ? unit.path : target)
    } else {
      try folder.write("wants/unit", text: "a file")
    }
    #expect(Installer(isDryRun: true).uninstallLink(to: unit) == (goes ? .removed : .absent))
    #expect(everything == ["wants", "wants/unit"])
    #expect(installer.uninstallLink(to: unit) == (goes ? .removed : .absent))
    #expect(everything == (goes ? ["wants"] : ["wants", "wants/unit"]))
  }

  @Test func `a dry run says the same and does nothing`() throws {
    let dry = Installer(isDryRun: true)
    #expect(dry.install(file()) == .written && everything.isEmpty)
    #expect(installer.install(file()) == .written)
    #expect(dry.install(file()) == .unchanged && dry.install(file("a/b/c", "2")) == .rewritten)
    #expect(dry.uninstall(file()) == .removed)
    #expect(try String(contentsOfFile: file().path, encoding: .utf8) == file().contents)
  }

  @Test func `what others have written stays as it is`() throws {
    try folder.write("mine", text: "my own\n")
    try folder.write(
      "long", text: String(repeating: "x", count: InstallPlan.markerReach) + InstallPlan.marker)
    try folder.write("target", text: file().contents)
    #expect(symlink("target", folder.file("link")) == 0)
    try folder.write("folder/x", text: "")
    for name in ["mine", "long", "link", "folder"] {
      for outcome in [installer.install(file(name)), installer.uninstall(file(name))] {
        guard case .foreign = outcome else {
          Issue.record("\(name): \(outcome)")
          continue
        }
      }
    }
    #expect(try String(contentsOfFile: folder.file("mine"), encoding: .utf8) == "my own\n")
    #expect(everything == ["folder", "folder/x", "link", "long", "mine", "target"])
  }

  @Test func `a folder that cannot be made says why`() throws {
    try folder.write("mine", text: "my own\n")
    #expect(installer.install(file("mine/b")) == .failed("a part of its path is no folder"))
    #expect(installer.install(file("mine/b/c")) == .failed("a part of its path is no folder"))
  }

  @Test func `one that was left behind is no obstacle`() throws {
    try folder.write("a.afterlock-new", text: "half")
    #expect(installer.install(file("a")) == .written)
    #expect(everything == ["a"])
  }
}

@Suite("What install is asked for")
struct InstallRequestTests {
  private func request(_ words: String...) throws -> InstallRequest? {
    guard case .install(let request) = try CommandLineRequest((["install"] + words).map { Array($0.utf8) })
    else {
      return nil
    }
    return request
  }

  @Test func `for this user, or no more`() throws {
    #expect(try request("--user").map { !$0.removes && !$0.isDryRun } == true)
    #expect(try request("--uninstall").map { $0.removes && !$0.isDryRun } == true)
    #expect(try request("--user", "--uninstall", "--dry-run").map { $0.removes && $0.isDryRun } == true)
    let error = #expect(throws: UsageError.self) { try request("--dry-run") }
    #expect(error?.message == "nothing to do: give --user, to install for this user, or --uninstall")
  }

  @Test func `a shell is one of those that there are completions for`() throws {
    let words = ["completions", "bsh"].map { Array($0.utf8) }
    let error = #expect(throws: UsageError.self) { try CommandLineRequest(words) }
    #expect(
      error?.message == "there are completions for bash, zsh, fish, and not for 'bsh'; did you mean bash?")
    let bash = ["completions", "bash"].map { Array($0.utf8) }
    #expect(try CommandLineRequest(bash) == .show(Shell.bash.completions(of: .afterlock)))
    #expect(try CommandLineRequest([Array("man".utf8)]) == .show(ManPage.text(.afterlock)))
  }
}
