/// A connection that comes back: connects, and after a loss tries again with growing pauses (L9).
///
/// Confined to the thread that it is the source of. A bus that hangs holds nothing: the connection is only begun here, and
/// the bus's hello may come whenever it likes.
final class BusLink: BusThread.Source {
  private static let shortestPause = Duration.milliseconds(100)

  private let address: String
  private let description: String
  private let longestPause: Duration
  private var pause = shortestPause
  private var retryTime: ContinuousClock.Instant?
  private var isOpen = false
  /// The connection, which may still wait for the bus's hello.
  private(set) var connection: BusConnection?
  /// Called each time that the bus has said hello.
  var whenReady: (() -> Void)?
  /// Called each time that the bus has gone, or was not there.
  var whenLost: (() -> Void)?

  /// A link that is not open yet.
  /// - Parameter longestPause: how long the pauses between two attempts become.
  init(to address: String, description: String, longestPause: Duration = .seconds(2)) {
    self.address = address
    self.description = description
    self.longestPause = longestPause
  }

  /// Begins to connect.
  func open() {
    isOpen = true
    if connection == nil { connect() }
  }

  /// Leaves the bus for good; nobody is told.
  func close() {
    isOpen = false
    retryTime = nil
    leave()
  }

  private func connect() {
    retryTime = nil
    do throws(BusError) {
      let connection = try BusConnection(address: address, description: description)
      connection.whenReady = { [weak self] in
        self?.pause = Self.shortestPause
        self?.whenReady?()
      }
      connection.whenLost = { [weak self] in self?.lost() }
      self.connection = connection
    } catch {
      lost()
    }
  }

  private func lost() {
    leave()
    guard isOpen else { return }
    retryTime = .now + pause
    pause = min(pause * 2, longestPause)
    whenLost?()
  }

  private func leave() {
    connection?.whenReady = nil
    connection?.whenLost = nil
    connection?.close()
    connection = nil
  }

  // MARK: Taking turns

  var descriptor: Int32 { connection?.descriptor ?? -1 }
  var events: Int16 { connection?.events ?? 0 }

  var timeout: Int32 {
    if let connection { return connection.timeout }
    guard let retryTime else { return -1 }
    let left = (retryTime - .now).microseconds
    return left <= 0 ? 0 : Int32(clamping: (left + 999) / 1_000)
  }

  func process() {
    if let connection {
      connection.process()
    } else if let retryTime, retryTime <= .now {
      connect()
    }
  }
}
