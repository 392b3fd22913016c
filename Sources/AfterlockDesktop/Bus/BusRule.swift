/// Rules for the signals that are listened to.
enum BusRule {
  /// A name of the bus gets another owner, or none.
  static func owner(of name: String) -> String {
    signal("NameOwnerChanged", of: "org.freedesktop.DBus", from: "org.freedesktop.DBus") + ",arg0='\(name)'"
  }

  /// Whether a name that has changed its owner has one now.
  static func hasNewOwner(_ values: [BusValue]) -> Bool {
    if case .string(let owner)? = values.last { !owner.isEmpty } else { false }
  }

  static func signal(_ member: String, of interface: String, from name: String, at path: String? = nil)
    -> String
  {
    "type='signal',sender='\(name)',interface='\(interface)',member='\(member)'"
      + (path.map { ",path='\($0)'" } ?? "")
  }
}
