import Foundation

/// What `busctl --json` writes: a D-Bus value, whose variants are objects with a type and data.
indirect enum BusctlValue: Decodable, Hashable, Sendable {
  case boolean(Bool)
  case integer(Int64)
  case number(Double)
  case text(String)
  case list([BusctlValue])
  case object([String: BusctlValue])
  case nothing

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .nothing
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode([BusctlValue].self) {
      self = .list(value)
    } else {
      self = .object(try container.decode([String: BusctlValue].self))
    }
  }

  static func read(_ line: some StringProtocol) -> BusctlValue? {
    try? JSONDecoder().decode(BusctlValue.self, from: Data(line.utf8))
  }

  subscript(key: String) -> BusctlValue? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  var text: String? { if case .text(let text) = self { text } else { nil } }
  var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
  var items: [BusctlValue] { if case .list(let items) = self { items } else { [] } }
  var texts: [String] { items.compactMap(\.text) }
  var members: [String: BusctlValue] { if case .object(let members) = self { members } else { [:] } }

  /// The data of a typed value.
  var data: BusctlValue { self["data"] ?? .nothing }

  /// On one line: a typed value as its type and its data.
  var words: String {
    switch self {
    case .nothing: "nothing"
    case .boolean(let flag): "\(flag)"
    case .integer(let number): "\(number)"
    case .number(let number):
      number.rounded() == number && number.magnitude < 1e15
        ? "\(Int64(number))" : "\(number)"
    case .text(let text): text
    case .list(let items): "[" + items.map(\.words).joined(separator: ", ") + "]"
    case .object(let members):
      if members.count == 2, let type = members["type"]?.text, let data = members["data"] {
        "\(type) \(data.words)"
      } else {
        "{"
          + members.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.words)" }
          .joined(separator: ", ") + "}"
      }
    }
  }
}
