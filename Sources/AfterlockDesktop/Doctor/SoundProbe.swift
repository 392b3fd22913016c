import Foundation

/// Looks at PipeWire's socket and, through `pw-dump`, at its version, rate, sinks and session manager.
struct SoundProbe {
  let environment: [String: String]
  let limit: Duration

  func sections() async -> [DoctorReport.Section] {
    let (findings, graph) = await server()
    var sections = [DoctorReport.Section("PipeWire", findings)]
    if let graph {
      sections.append(.init("Sinks", Self.sinks(graph)))
      sections.append(.init("Session manager", Self.sessionManager(graph)))
    }
    return sections
  }

  private func server() async -> ([DoctorReport.Finding], PipeWireGraph?) {
    let remote = environment["PIPEWIRE_REMOTE"] ?? "pipewire-0"
    let folder = environment["PIPEWIRE_RUNTIME_DIR"] ?? environment["XDG_RUNTIME_DIR"]
    let path: String
    if remote.hasPrefix("/") {
      path = remote
    } else if let folder, !folder.isEmpty {
      path = "\(folder)/\(remote)"
    } else {
      let advice =
        "log in as this user (su and sudo do not set it), or set it to /run/user/\(getuid())"
      return (
        [.init(.failure, "XDG_RUNTIME_DIR is not set, so PipeWire cannot be found", advice: advice)], nil
      )
    }
    let start = "systemctl --user start pipewire wireplumber"
    guard FileManager.default.fileExists(atPath: path) else {
      let advice =
        Programs.path(of: "pipewire", in: environment) == nil
        ? "sudo apt-get install pipewire wireplumber, then \(start)" : start
      return ([.init(.failure, "no PipeWire server: there is no socket \(path)", advice: advice)], nil)
    }
    guard LocalSocket.accepts(path) else {
      return ([.init(.failure, "no PipeWire server: nobody listens at \(path)", advice: start)], nil)
    }
    let listens = DoctorReport.Finding(.ok, "a server listens at \(path)")
    do throws(DesktopError) {
      let output = try await Command.run("pw-dump", [], environment: environment, limit: limit)
      if output.timedOut {
        let advice = "systemctl --user restart pipewire"
        return ([listens, .init(.failure, "it did not answer within \(limit)", advice: advice)], nil)
      }
      guard output.status == .code(0) else {
        return ([listens, .init(.failure, "pw-dump failed: \(output.errorText)")], nil)
      }
      let graph = try PipeWireGraph(json: output.standardOutput)
      return ([listens, Self.version(graph)], graph)
    } catch  where error.code == .programMissing {
      let advice = "sudo apt-get install pipewire-bin"
      return ([listens, .init(.warning, "pw-dump is missing, so no more is seen", advice: advice)], nil)
    } catch {
      return ([listens, .init(.failure, error.message)], nil)
    }
  }

  /// Afterlock is built and tested against 0.3.65 and later.
  static func version(_ graph: PipeWireGraph) -> DoctorReport.Finding {
    guard let version = graph.version else { return .init(.warning, "the server does not say its version") }
    let rate = graph.settings["clock.rate"].map { ", \($0) Hz" } ?? ""
    let quantum = graph.settings["clock.quantum"].map { ", \($0) frames a cycle" } ?? ""
    let parts = version.split(separator: ".").map { Int($0) ?? 0 }
    let isOld = parts.lexicographicallyPrecedes([0, 3, 65])
    return .init(
      isOld ? .warning : .ok, "version \(version)\(rate)\(quantum)",
      advice: isOld ? "Afterlock is tested with 0.3.65 and later" : nil)
  }

  static func sinks(_ graph: PipeWireGraph) -> [DoctorReport.Finding] {
    let advice = "connect a device, or look at `wpctl status`; without one, `afterlock play --private` works"
    guard !graph.sinks.isEmpty else {
      return [.init(.failure, "there is no sink: sound has nowhere to go", advice: advice)]
    }
    var findings = graph.sinks.map { sink in
      let description = sink.properties["node.description"].map { $0 == sink.name ? "" : " (\($0))" } ?? ""
      let rate = sink.rate.map { ", \($0) Hz" } ?? ""
      return DoctorReport.Finding(.ok, "\(sink.name)\(description)\(rate), \(sink.state)")
    }
    if let name = graph.defaultSink, graph.node(named: name) != nil {
      findings.append(.init(.ok, "the default is \(name)"))
    } else {
      findings.append(
        .init(.warning, "no sink is the default", advice: "choose one: wpctl set-default ID"))
    }
    if graph.sinks.allSatisfy({ $0.name == "auto_null" }) {
      findings.append(.init(.warning, "the only sink is the silent stand-in for a device", advice: advice))
    }
    return findings
  }

  static func sessionManager(_ graph: PipeWireGraph) -> [DoctorReport.Finding] {
    let known = ["WirePlumber", "pipewire-media-session"]
    if let manager = graph.clients.first(where: { known.contains($0) }) {
      return [.init(.ok, "\(manager) is running")]
    }
    return [
      .init(
        .failure, "no session manager is running: streams are never linked to a sink",
        advice: "sudo apt-get install wireplumber, then systemctl --user start wireplumber")
    ]
  }
}
