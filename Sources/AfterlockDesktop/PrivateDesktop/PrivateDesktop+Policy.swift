import Glibc

/// What a desktop's session manager and its mixer do to a stream: another default sink, links taken away, a level.
extension PrivateDesktop {
  /// Has the session manager take another default sink, as a person does in the mixer, and returns when it has.
  ///
  /// WirePlumber may pass over a choice, and over the same choice once more, so another one is made between.
  public func chooseSink(named name: String) async throws(DesktopError) {
    for _ in 0..<10 {
      let graph = try await graph()
      for choice in [graph.defaultSink, name].compactMap(\.self) {
        guard let node = graph.node(named: choice) else {
          throw DesktopError(.wrongState, "there is no sink named \(choice)")
        }
        try await run("wpctl", ["set-default", "\(node.id)"])
      }
      do throws(DesktopError) {
        try await waitForGraph("the choice of \(name)", limit: .seconds(2)) { $0.defaultSink == name }
        return
      } catch {
        guard error.code == .timedOut else { throw error }
      }
    }
    throw DesktopError(.timedOut, "the session manager does not take \(name) as the default sink")
  }

  /// Sets a sink's level in the session manager's words, as a role policy that ducks does (L8).
  public func setLevel(_ level: Double, ofSink name: String) async throws(DesktopError) {
    guard let node = try await graph().node(named: name) else {
      throw DesktopError(.wrongState, "there is no sink named \(name)")
    }
    try await run("wpctl", ["set-volume", "\(node.id)", "\(level)"])
  }

  /// Takes a stream's links away, as a role policy that corks does (L8), and keeps the session manager from putting them back.
  /// - Returns: the links, for ``uncork(_:)``: pairs of ports.
  public func cork(stream name: String) async throws(DesktopError) -> [PortLink] {
    let graph = try await graph()
    guard let stream = graph.node(named: name),
      let sink = graph.links.first(where: { $0.outputNode == stream.id }).flatMap({ link in
        graph.nodes.first { $0.id == link.inputNode }
      })
    else { throw DesktopError(.wrongState, "\(name) is linked to no sink") }
    func ports(of node: PipeWireGraph.Node, areOutputs: Bool) -> [String] {
      graph.ports.filter { $0.node == node.id && $0.isOutput == areOutputs }.map(\.name).sorted()
    }
    let links = zip(ports(of: stream, areOutputs: true), ports(of: sink, areOutputs: false)).map {
      PortLink(output: "\(stream.name):\($0)", input: "\(sink.name):\($1)")
    }
    holdSessionManager(true)
    for link in links { try await run("pw-link", ["-d", link.output, link.input]) }
    return links
  }

  /// Puts links back, and lets the session manager go on.
  public func uncork(_ links: [PortLink]) async throws(DesktopError) {
    for link in links { try await run("pw-link", [link.output, link.input]) }
    holdSessionManager(false)
  }

  /// A link between two ports, each by its node's name and its own.
  public struct PortLink: Hashable, Sendable {
    /// Where the sound comes from.
    public var output: String
    /// Where it goes to.
    public var input: String
  }

  /// Holds the session manager where it is, or lets it go on: meanwhile it links nobody, and the graph cannot be looked at.
  private func holdSessionManager(_ isHeld: Bool) {
    if let process = processIDs["wireplumber"] { kill(process, isHeld ? SIGSTOP : SIGCONT) }
  }

  private func run(_ program: String, _ words: [String]) async throws(DesktopError) {
    let path = try Programs.require([program])[program] ?? program
    let output = try await Command.run(path, words, environment: environment, limit: configuration.limit)
    guard !output.timedOut, output.status == .code(0) else {
      throw DesktopError(
        .programEnded, "\(program) \(words.joined(separator: " ")) failed (\(output.status))",
        details: output.errorText)
    }
  }
}
