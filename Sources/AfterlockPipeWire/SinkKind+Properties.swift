import AfterlockCore

extension SinkKind {
  /// The properties that say what a sink is; of a node and of its device.
  static let telling = [
    "device.form-factor", "device.bus", "device.api", "api.bluez5.address", "factory.name",
    "node.name", "node.nick", "node.description",
  ]

  /// What a sink is, by its node's properties over those of its device: what it says of its form first, then how it is
  /// connected, and its name where it says neither.
  init(properties: [String: String]) {
    func value(_ key: String) -> String { (properties[key] ?? "").lowercased() }
    let name = value("node.name")
    self =
      switch value("device.form-factor") {
      case "headset", "hands-free", "handset": .headset
      case "headphone", "headphones": .headphones
      default:
        if value("device.bus") == "bluetooth" || value("device.api").hasPrefix("bluez")
          || properties["api.bluez5.address"] != nil || value("factory.name").hasPrefix("api.bluez")
          || name.hasPrefix("bluez_")
        {
          .bluetooth
        } else if value("device.bus") == "usb" || name.hasPrefix("alsa_output.usb-") {
          .usb
        } else if name.contains("headset") {
          .headset
        } else if name.contains("headphone") {
          .headphones
        } else {
          .other
        }
      }
  }
}

extension SinkDescription {
  /// A sink by its node's properties over those of its device.
  init(name: String, properties: [String: String]) {
    let label = [properties["node.description"], properties["node.nick"]].lazy
      .compactMap { $0 }.first { !$0.isEmpty }
    self.init(name: name, label: label, kind: SinkKind(properties: properties))
  }
}
