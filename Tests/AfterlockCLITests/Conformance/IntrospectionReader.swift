import AfterlockTestSupport
import Foundation
import FoundationXML

/// Reads the members of MPRIS's interfaces out of introspection data, a line for each.
final class IntrospectionReader: NSObject, XMLParserDelegate {
  private var members: Set<String> = []
  private var interface = ""
  /// The member that is being read, with its arguments; a property's annotation comes last.
  private var words: [String] = []
  private var emission = "true"

  static func members(_ document: String) throws -> Set<String> {
    let reader = IntrospectionReader()
    let parser = XMLParser(data: Data(document.utf8))
    parser.delegate = reader
    guard parser.parse() else {
      throw TestFailure("no introspection data: \(parser.parserError.map { "\($0)" } ?? document)")
    }
    return reader.members
  }

  func parser(
    _ parser: XMLParser, didStartElement element: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String] = [:]
  ) {
    let name = attributes["name"] ?? "?"
    switch element {
    case "interface": interface = name
    case "method", "signal": words = [element, name]
    case "property":
      words = [element, name, attributes["type"] ?? "?", attributes["access"] ?? "?"]
      emission = "true"
    case "arg":
      if words.first == "method" { words.append(attributes["direction"] ?? "in") }
      words += [attributes["type"] ?? "?", name]
    case "annotation":
      if name == "org.freedesktop.DBus.Property.EmitsChangedSignal" { emission = attributes["value"] ?? "?" }
    default: break
    }
  }

  func parser(
    _ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?
  ) {
    guard ["method", "signal", "property"].contains(element), interface.hasPrefix("org.mpris.") else {
      return
    }
    if element == "property" { words.append(emission) }
    members.insert("\(interface) \(words.joined(separator: " "))")
  }
}
