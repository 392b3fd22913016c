// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// The one place where a target's compiler settings are chosen.
///
/// CI sets `AFTERLOCK_WARNINGS_AS_ERRORS=1`; a person's build shows warnings and goes on, so that a newer compiler's
/// new warning does not keep anybody from trying the player.
func settings(memorySafety: Bool = false) -> [SwiftSetting] {
  var settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ]
  if memorySafety { settings.append(.strictMemorySafety()) }
  if ProcessInfo.processInfo.environment["AFTERLOCK_WARNINGS_AS_ERRORS"] == "1" {
    settings.append(.treatAllWarnings(as: .error))
  }
  return settings
}

/// A release of the command carries Swift's runtime and Foundation in itself: it starts 4 ms sooner, needs 6 MB less, and
/// runs where no Swift is installed. Foundation's own parts have to be named, since they are only found out by a
/// compiler that is told too. `AFTERLOCK_DYNAMIC_RUNTIME=1` is for a toolchain without the static libraries.
func commandLinkerSettings() -> [LinkerSetting] {
  if ProcessInfo.processInfo.environment["AFTERLOCK_DYNAMIC_RUNTIME"] == "1" { return [] }
  let parts = [
    "Foundation", "CoreFoundation", "_FoundationCollections", "_FoundationCShims", "_FoundationICU",
  ]
  return [.unsafeFlags(["-static-stdlib"] + parts.map { "-l\($0)" }, .when(configuration: .release))]
}

let package = Package(
  name: "afterlock",
  products: [
    .executable(name: "afterlock", targets: ["AfterlockCLI"]),
    .executable(name: "afterlock-bench", targets: ["AfterlockBench"]),
    .library(name: "Afterlock", targets: ["Afterlock"]),
  ],
  targets: [
    // System libraries: a module map and one header each. FFmpeg and sd-bus are headers only; see CAfterlockShims.
    .systemLibrary(name: "CPipeWire", pkgConfig: "libpipewire-0.3"),
    .systemLibrary(name: "CSndfile", pkgConfig: "sndfile"),
    .systemLibrary(name: "CFFmpeg"),
    .systemLibrary(name: "CSystemd"),
    .target(name: "CAfterlockShims", dependencies: ["CPipeWire", "CFFmpeg", "CSystemd"]),

    // The core imports no C. Adapters import the core. Only `Afterlock` and the executables wire adapters together.
    .target(name: "AfterlockCore", swiftSettings: settings(memorySafety: true)),
    .target(name: "AfterlockRealtime", dependencies: ["AfterlockCore"], swiftSettings: settings()),
    .target(
      name: "AfterlockEngine",
      dependencies: ["AfterlockCore", "AfterlockRealtime", "CSndfile", "CFFmpeg", "CAfterlockShims"],
      swiftSettings: settings()),
    .target(
      name: "AfterlockPipeWire",
      dependencies: ["AfterlockCore", "AfterlockRealtime", "CPipeWire", "CAfterlockShims"],
      swiftSettings: settings()),
    .target(
      name: "AfterlockDesktop", dependencies: ["AfterlockCore", "CSystemd", "CAfterlockShims"],
      swiftSettings: settings()),
    .target(
      name: "Afterlock",
      dependencies: ["AfterlockCore", "AfterlockRealtime", "AfterlockEngine", "AfterlockPipeWire"],
      swiftSettings: settings()),
    // Swift 5 mode, because it doubles a framework that was built before Swift 6: only there does the compiler let a
    // main-actor closure through to a thread of the framework's, where it dies.
    .target(name: "PhoneFramework", swiftSettings: [.swiftLanguageMode(.v5)]),
    .target(
      name: "AfterlockScenarios", dependencies: ["AfterlockCore", "AfterlockDesktop", "PhoneFramework"],
      swiftSettings: settings()),
    // The same scenarios over the product's engine, a real PipeWire and a real bus, in real time.
    .target(
      name: "AfterlockLiveScenarios",
      dependencies: [
        "Afterlock", "AfterlockCore", "AfterlockDesktop", "AfterlockEngine", "AfterlockPipeWire",
        "AfterlockRealtime", "AfterlockScenarios",
      ],
      swiftSettings: settings()),
    .executableTarget(
      name: "AfterlockCLI",
      dependencies: [
        "Afterlock", "AfterlockCore", "AfterlockDesktop", "AfterlockEngine",
        "AfterlockLiveScenarios", "AfterlockPipeWire", "AfterlockRealtime", "AfterlockScenarios",
      ],
      swiftSettings: settings(),
      linkerSettings: commandLinkerSettings()),
    .executableTarget(
      name: "AfterlockBench", dependencies: ["AfterlockDesktop", "CPipeWire"], swiftSettings: settings()),
    // Opens and decodes damaged files, in a process of its own, since a crash is what it looks for.
    .executableTarget(
      name: "AfterlockFuzz", dependencies: ["AfterlockCore", "AfterlockEngine"], swiftSettings: settings()),

    // Tests mirror the sources.
    .target(
      name: "AfterlockTestSupport", dependencies: ["AfterlockCore", "AfterlockDesktop"],
      path: "Tests/AfterlockTestSupport",
      swiftSettings: settings()),
    .target(name: "CForeignThreads", path: "Tests/CForeignThreads"),
    // A program of its own, because standing in for malloc is for a whole process.
    .target(name: "CAllocationCounter", path: "Tests/CAllocationCounter"),
    .executableTarget(
      name: "AllocationProbe", dependencies: ["Afterlock", "AfterlockRealtime", "CAllocationCounter"],
      path: "Tests/AllocationProbe", swiftSettings: settings()),
    .testTarget(
      name: "AfterlockCoreTests", dependencies: ["AfterlockCore", "AfterlockTestSupport"],
      swiftSettings: settings()),
    .testTarget(
      name: "IsolationTests", dependencies: ["AfterlockCore", "AfterlockTestSupport", "CForeignThreads"],
      swiftSettings: settings()),
    .testTarget(
      name: "AfterlockRealtimeTests",
      dependencies: ["AfterlockCore", "AfterlockRealtime", "AfterlockTestSupport"], swiftSettings: settings()),
    .testTarget(
      name: "AfterlockEngineTests",
      // The test runs the fuzzer, which stands beside it once it is built.
      dependencies: [
        "AfterlockCore", "AfterlockRealtime", "AfterlockEngine", "AfterlockDesktop", "AfterlockTestSupport",
        "AfterlockFuzz",
      ],
      swiftSettings: settings()),
    .testTarget(
      name: "AfterlockPipeWireTests",
      dependencies: [
        "AfterlockCore", "AfterlockRealtime", "AfterlockPipeWire", "AfterlockDesktop", "Afterlock",
        "AfterlockTestSupport", "AllocationProbe", "CPipeWire",
      ],
      swiftSettings: settings()),
    // The README's example of the library, compiled and run as it stands there.
    .executableTarget(
      name: "ReadmeExample", dependencies: ["Afterlock"], path: "Tests/ReadmeExample",
      swiftSettings: settings()),
    .testTarget(
      name: "AfterlockTests",
      dependencies: [
        "Afterlock", "AfterlockDesktop", "AfterlockEngine", "AfterlockRealtime", "AfterlockTestSupport",
        "ReadmeExample",
      ],
      swiftSettings: settings()),
    .testTarget(
      name: "AfterlockDesktopTests",
      dependencies: [
        "AfterlockCore", "AfterlockDesktop", "AfterlockEngine", "AfterlockTestSupport", "CAfterlockShims",
      ],
      swiftSettings: settings()),
    .testTarget(
      name: "AfterlockScenariosTests",
      dependencies: ["AfterlockCore", "AfterlockDesktop", "AfterlockScenarios", "AfterlockTestSupport"],
      swiftSettings: settings()),
    .testTarget(
      name: "AfterlockLiveScenariosTests",
      dependencies: [
        "AfterlockCore", "AfterlockDesktop", "AfterlockLiveScenarios", "AfterlockScenarios",
        "AfterlockTestSupport",
      ],
      swiftSettings: settings()),
    .testTarget(name: "AfterlockBenchTests", dependencies: ["AfterlockBench"], swiftSettings: settings()),
    .testTarget(
      name: "AfterlockCLITests",
      dependencies: [
        "AfterlockCLI", "AfterlockCore", "AfterlockDesktop", "AfterlockEngine", "AfterlockPipeWire",
        "AfterlockScenarios", "AfterlockTestSupport",
      ],
      swiftSettings: settings()),
  ]
)
