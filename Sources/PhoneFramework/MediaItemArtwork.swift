import Dispatch

/// A picture that the media framework asks for when it wants one, on a thread of its own (P9).
///
/// It doubles a class of a framework that was built before Swift 6: its closure is not `@Sendable`, so the compiler lets a
/// caller form it in main-actor code. Such a closure carries a check of its executor, and dies here. Called on: any thread.
public final class MediaItemArtwork {
  private let requestHandler: (_ side: Int) -> [UInt8]
  private let queue = DispatchQueue(label: "phone.media")

  /// - Parameter requestHandler: makes the picture with a longest side of so many pixels.
  public init(requestHandler: @escaping (_ side: Int) -> [UInt8]) { self.requestHandler = requestHandler }

  /// Asks for the picture and hands it to `receive`, both on the framework's thread.
  public func request(side: Int, receive: @escaping ([UInt8]) -> Void) {
    let requestHandler = requestHandler
    queue.async { receive(requestHandler(side)) }
  }
}
