/// What the desktop knows this program by.
///
/// A desktop finds entry and icon of what plays by its names: PipeWire's `application.id` and `application.icon-name`,
/// MPRIS's `DesktopEntry`, the name of the `.desktop` file and the icon's. They have to be one, and it is the short one
/// that the program, its unit and its name on the bus have too: a reverse domain name would claim a domain that is not
/// ours.
public enum ProgramIdentity {
  /// For programs.
  public static let name = "afterlock"
  /// For people.
  public static let title = "Afterlock"
}
