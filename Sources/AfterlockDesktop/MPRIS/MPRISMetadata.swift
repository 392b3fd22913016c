import AfterlockCore

/// What MPRIS calls a track: its id as an object path, and what is known of it.
enum MPRISTrack {
  /// Says that there is no track.
  static let none = "/org/mpris/MediaPlayer2/TrackList/NoTrack"
  private static let prefix = "/org/afterlock/track/"

  /// Unique for each occurrence in the queue, and stable however the queue is ordered.
  static func path(_ id: TrackID) -> String { prefix + id.description }

  /// The occurrence that a path names; `nil` for another player's or a malformed one.
  static func id(_ path: String) -> TrackID? {
    guard path.hasPrefix(prefix) else { return nil }
    let digits = path.dropFirst(prefix.count)
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), digits.first != "0" else {
      return nil
    }
    return UInt64(digits).map(TrackID.init(rawValue:))
  }
}

/// The `Metadata` map of MPRIS: only what is known, each with the type of the specification.
///
/// It is sent whole with each change, to everybody who listens: what nobody can show is cut. D-Bus closes the connection of
/// whoever sends a list of more than 64 MiB, so a map has a bound whatever the file says of itself.
enum MPRISMetadata {
  /// The longest text, in bytes of UTF-8.
  static let longestText = 4_096
  /// The most bytes of all texts of a track; the title and the album come first.
  static let mostText = 65_536
  /// The longest address, in bytes; a longer one is left out, since a part of an address leads nowhere. The longest path
  /// that the system opens fits, percent-encoded.
  static let longestAddress = 16_384
  /// The most values of one kind.
  static let mostValues = 16

  /// - Parameters:
  ///   - info: what the file says of itself; `nil` before it is open.
  ///   - artwork: the address of the picture, percent-encoded.
  static func map(_ entry: QueueEntry?, _ info: MediaInfo?, artwork: String? = nil) -> BusValue {
    guard let entry else { return .properties([.init("mpris:trackid", .objectPath(MPRISTrack.none))]) }
    var map: [BusValue.Property] = [.init("mpris:trackid", .objectPath(MPRISTrack.path(entry.id)))]
    func add(_ name: String, _ value: BusValue?) {
      if let value { map.append(.init(name, value)) }
    }
    var left = mostText
    func text(_ string: String?) -> BusValue? { string.map { .string(shortened($0, &left)) } }
    func list(_ strings: [String]?) -> BusValue? {
      // None is left of a text where the others have taken all: it is not there.
      let texts = strings?.prefix(mostValues).map { (isEmpty: $0.isEmpty, text: shortened($0, &left)) }
      let kept = texts?.filter { $0.isEmpty || !$0.text.isEmpty }.map(\.text) ?? []
      return kept.isEmpty ? nil : .array(of: "s", kept.map(BusValue.string))
    }
    let tags = info?.tags
    add("mpris:length", info?.duration.flatMap { $0 < .zero ? nil : .int64($0.microseconds) })
    add("mpris:artUrl", artwork.flatMap { $0.utf8.count > longestAddress ? nil : .string($0) })
    add("xesam:url", address(of: entry.location))
    add("xesam:title", text(title(entry, tags)))
    add("xesam:album", text(tags?.album))
    add("xesam:artist", list(tags?.artists))
    add("xesam:albumArtist", list(tags?.albumArtists))
    add("xesam:composer", list(tags?.composers))
    add("xesam:genre", list(tags?.genres))
    add("xesam:comment", list(tags?.comment.map { [$0] }))
    add("xesam:trackNumber", tags?.trackNumber.flatMap(Int32.init(exactly:)).map(BusValue.int32))
    add("xesam:discNumber", tags?.discNumber.flatMap(Int32.init(exactly:)).map(BusValue.int32))
    add("xesam:contentCreated", tags?.date.flatMap(timestamp).map(BusValue.string))
    return .properties(map)
  }

  /// As much as the bus takes and there is room for.
  private static func shortened(_ text: String, _ left: inout Int) -> String {
    let short = BusValue.allowed(text, most: min(longestText, left))
    left -= short.utf8.count
    return short
  }

  private static func address(of location: MediaLocation) -> BusValue? {
    let count =
      switch location {
      case .file(let path): path.bytes.count
      case .url(let address): address.utf8.count
      }
    guard count <= longestAddress else { return nil }
    let address = MediaAddress.of(location)
    return address.utf8.count > longestAddress ? nil : .string(address)
  }

  /// From the tags, else from the playlist, else the file's name.
  private static func title(_ entry: QueueEntry, _ tags: MediaTags?) -> String {
    if let title = [tags?.title, entry.title].lazy.compactMap(\.self).first(where: { !$0.isEmpty }) {
      return title
    }
    return switch entry.location {
    case .file(let path): String(decoding: path.lastComponent.bytes, as: UTF8.self)
    case .url(let address): address
    }
  }

  /// ISO 8601 from what files give: a year, a month, a day, or a moment. `nil` for anything else.
  static func timestamp(_ date: String) -> String? {
    let parts = date.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
    let date = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    let widths = [4, 2, 2]
    guard (1...3).contains(date.count), zip(date, widths).allSatisfy({ isNumber($0, digits: $1) }) else {
      return nil
    }
    let numbers = date.compactMap { Int($0) }
    guard numbers[0] > 0, numbers.count < 2 || (1...12).contains(numbers[1]),
      numbers.count < 3 || (1...days(of: numbers[1], in: numbers[0])).contains(numbers[2])
    else { return nil }
    let defaults = ["", "01", "01"]
    let day = (0..<3).map { $0 < date.count ? String(date[$0]) : defaults[$0] }.joined(separator: "-")
    guard parts.count == 2 else { return day + "T00:00:00Z" }
    var clock = parts[1]
    if clock.hasSuffix("Z") { clock = clock.dropLast() }
    let times = clock.split(separator: ":", omittingEmptySubsequences: false)
    guard times.count == 3, times.allSatisfy({ isNumber($0, digits: 2) }) else { return nil }
    let values = times.compactMap { Int($0) }
    guard values[0] < 24, values[1] < 60, values[2] <= 60 else { return nil }
    return "\(day)T\(clock)Z"
  }

  private static func days(of month: Int, in year: Int) -> Int {
    let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  private static func isNumber(_ text: Substring, digits: Int) -> Bool {
    text.utf8.count == digits && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}

/// Addresses of files, as clients read them.
enum MediaAddress {
  /// A percent-encoded `file:` address, or the address itself.
  static func of(_ location: MediaLocation) -> String {
    switch location {
    case .file(let path): file(path.bytes)
    case .url(let address): encoded(Array(address.utf8), isAddress: true)
    }
  }

  /// The address of a file by its absolute path; a relative one is taken from where the program stands.
  static func file(_ path: [UInt8]) -> String {
    var path = path
    if path.first != UInt8(ascii: "/"), let folder = workingFolder {
      path = folder + [UInt8(ascii: "/")] + path
    }
    return "file://" + encoded(path, isAddress: false)
  }

  private static func encoded(_ bytes: [UInt8], isAddress: Bool) -> String {
    let kept = Set("-._~/".utf8).union(isAddress ? Array(":?#[]@!$&'()*+,;=%".utf8) : [])
    var text = ""
    for byte in bytes {
      let isLetter = byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
      if isLetter || (0x30...0x39).contains(byte) || kept.contains(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        text += "%" + (digits.utf8.count < 2 ? "0" : "") + digits
      }
    }
    return text
  }
}

extension Duration {
  /// Whole microseconds, as far as 64 bits go.
  var microseconds: Int64 {
    let (seconds, fraction) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    if overflow { return seconds < 0 ? .min : .max }
    let (sum, isOver) = whole.addingReportingOverflow(fraction / 1_000_000_000_000)
    return isOver ? (seconds < 0 ? .min : .max) : sum
  }
}
