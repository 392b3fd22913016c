import Glibc

extension MediaAddress {
  /// Where the program stands, as bytes; `nil` when that folder is gone.
  static var workingFolder: [UInt8]? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard getcwd(&buffer, buffer.count) != nil else { return nil }
    return buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
  }
}
