import AfterlockTestSupport
import Foundation
import Testing

/// What a target imports it depends on: SwiftPM lets an import pass that is not declared, and then does not compile the
/// target again when the imported module changes. Such a program has the layouts of yesterday and crashes.
@Suite struct ManifestTests {
  @Test func `Every import of a module of this package is declared in the manifest`() throws {
    let manifest = try String(contentsOfFile: Repository.root + "/Package.swift", encoding: .utf8)
    let declared = Self.dependencies(in: manifest)
    try #require(declared.count > 10, "the manifest is not read: \(declared)")
    for (target, dependencies) in declared {
      for imported in try Self.imports(of: target) where declared[imported] != nil && imported != target {
        #expect(dependencies.contains(imported), "\(target) imports \(imported) and does not declare it")
      }
    }
  }

  @Test func `An import that is not declared is seen`() {
    let manifest = """
      .target(name: "A", swiftSettings: settings()),
      .executableTarget(
        name: "B",
        dependencies: [
          "A", "C",
        ]),
      """
    #expect(Self.dependencies(in: manifest) == ["A": [], "B": ["A", "C"]])
    #expect(
      Self.importedModules(in: "public import A\n@testable import B\n// import C\nimport struct D.E")
        == ["A", "B", "D"])
  }

  /// The dependencies of each target, by its name.
  private static func dependencies(in manifest: String) -> [String: Set<String>] {
    var found: [String: Set<String>] = [:]
    // Each target begins with its kind; what follows up to the next is its own.
    let kinds = #/\.(?:target|executableTarget|testTarget|systemLibrary)\(/#
    for part in manifest.split(separator: kinds, omittingEmptySubsequences: false).dropFirst() {
      guard let name = part.firstMatch(of: #/name: "(\w+)"/#)?.1 else { continue }
      let list = part.firstMatch(of: #/dependencies: \[([^\]]*)\]/#)?.1 ?? ""
      found[String(name)] = Set(list.matches(of: #/"(\w+)"/#).map { String($0.1) })
    }
    return found
  }

  private static func imports(of target: String) throws -> Set<String> {
    let files = FileManager.default
    var imported: Set<String> = []
    for folder in ["Sources", "Tests"].map({ "\(Repository.root)/\($0)/\(target)" }) {
      for case let name as String in files.enumerator(atPath: folder) ?? .init()
      where name.hasSuffix(".swift") {
        imported.formUnion(
          importedModules(in: try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)))
      }
    }
    return imported
  }

  private static func importedModules(in source: String) -> Set<String> {
    let pattern = #/^(?:@\w+ )*(?:\w+ )?import (?:(?:struct|class|enum|func|protocol|typealias) )?(\w+)/#
    return Set(source.matches(of: pattern.anchorsMatchLineEndings()).map { String($0.1) })
  }
}
