public import Foundation

/// What `pw-dump` says about a PipeWire server: nodes, ports, links, defaults.
public struct PipeWireGraph: Sendable {
  /// A node: a sink, a source or a stream.
  public struct Node: Sendable {
    /// Its global id.
    public let id: Int
    /// `node.name`.
    public let name: String
    /// `media.class`, such as `Audio/Sink` or `Stream/Output/Audio`; empty if it has none.
    public let mediaClass: String
    /// `suspended`, `idle`, `running`, `creating` or `error`.
    public let state: String
    /// All properties as text.
    public let properties: [String: String]
    /// The rate in the node's current format or, failing that, its `audio.rate`; nil if neither is known.
    public let rate: Int?
  }

  /// A port of a node.
  public struct Port: Sendable {
    /// Its global id.
    public let id: Int
    /// The node it belongs to.
    public let node: Int
    /// `port.name`, such as `playback_FL`.
    public let name: String
    /// True for a port that sound comes out of.
    public let isOutput: Bool
  }

  /// A link between two ports.
  public struct Link: Sendable {
    /// The node that gives.
    public let outputNode: Int
    /// The node that takes.
    public let inputNode: Int
    /// `init`, `negotiating`, `allocating`, `paused`, `active`, `unlinked` or `error`.
    public let state: String
  }

  /// The server's version; nil if it did not say.
  public private(set) var version: String?
  /// All nodes in the order of their ids.
  public private(set) var nodes: [Node] = []
  /// All ports.
  public private(set) var ports: [Port] = []
  /// All links.
  public private(set) var links: [Link] = []
  /// Names of the programs that are connected.
  public private(set) var clients: [String] = []
  /// The default sink's name, as the session manager chose it; nil if there is none.
  public private(set) var defaultSink: String?
  /// The server's settings: `clock.rate`, `clock.quantum` and so on.
  public private(set) var settings: [String: String] = [:]

  /// Reads the output of `pw-dump`.
  public init(json: Data) throws(DesktopError) {
    guard let objects = (try? JSONSerialization.jsonObject(with: json)) as? [[String: Any]] else {
      throw DesktopError(.badOutput, "pw-dump's output is not the JSON that was expected")
    }
    for object in objects {
      guard let id = object["id"] as? Int, let type = object["type"] as? String else { continue }
      let info = object["info"] as? [String: Any] ?? [:]
      let raw = info["props"] as? [String: Any] ?? object["props"] as? [String: Any] ?? [:]
      let properties = raw.mapValues { "\($0)" }
      switch type.split(separator: ":").last {
      case "Core": version = info["version"] as? String
      case "Client": clients.append(properties["application.name"] ?? "")
      case "Node": nodes.append(Self.node(id: id, info: info, properties: properties))
      case "Port":
        ports.append(
          Port(
            id: id, node: properties["node.id"].flatMap { Int($0) } ?? -1,
            name: properties["port.name"] ?? "", isOutput: info["direction"] as? String == "output"))
      case "Link":
        links.append(
          Link(
            outputNode: info["output-node-id"] as? Int ?? -1, inputNode: info["input-node-id"] as? Int ?? -1,
            state: info["state"] as? String ?? ""))
      case "Metadata": readMetadata(object)
      default: break
      }
    }
  }

  /// What there is on one line, for messages.
  var summary: String {
    let nodes = nodes.map { node in
      let own = ports.filter { $0.node == node.id }
      return "\(node.name) \(node.state) \(own.count { !$0.isOutput })/\(own.count { $0.isOutput })"
    }
    return "default sink \(defaultSink ?? "none"); nodes (ports in/out): \(nodes.joined(separator: ", ")); "
      + "programs: \(clients.joined(separator: ", "))"
  }

  /// The sinks.
  public var sinks: [Node] { nodes.filter { $0.mediaClass == "Audio/Sink" } }

  /// The node with this name.
  public func node(named name: String) -> Node? { nodes.first { $0.name == name } }

  /// True if the sink exists, has all its ports, and so can be linked to.
  public func isLinkable(_ sink: VirtualSink) -> Bool {
    guard let node = node(named: sink.name) else { return false }
    let own = ports.filter { $0.node == node.id }
    return own.count { $0.isOutput } >= sink.channels.count
      && own.count { !$0.isOutput } >= sink.channels.count
  }

  private static func node(id: Int, info: [String: Any], properties: [String: String]) -> Node {
    let parameters = info["params"] as? [String: Any] ?? [:]
    let format = (parameters["Format"] as? [[String: Any]])?.first
    let rate = format?["rate"] as? Int ?? properties["audio.rate"].flatMap { Int($0) }
    return Node(
      id: id, name: properties["node.name"] ?? "", mediaClass: properties["media.class"] ?? "",
      state: info["state"] as? String ?? "", properties: properties, rate: rate)
  }

  private mutating func readMetadata(_ object: [String: Any]) {
    for entry in object["metadata"] as? [[String: Any]] ?? [] {
      guard let key = entry["key"] as? String, let value = entry["value"] else { continue }
      if key == "default.audio.sink" {
        defaultSink = (value as? [String: Any])?["name"] as? String
      } else if key.hasPrefix("clock.") || key == "log.level" {
        settings[key] = "\(value)"
      }
    }
  }
}
