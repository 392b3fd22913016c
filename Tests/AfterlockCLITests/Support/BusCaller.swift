@testable import AfterlockDesktop

/// Calls methods on a bus within a millisecond, where a program of its own for each call would take too long to time
/// anything by.
///
/// Isolation: an actor on a bus thread of its own.
actor BusCaller {
  private nonisolated let thread: BusThread
  private let address: String
  private var connection: BusConnection?

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Connects with the first call.
  init(to address: String) throws {
    guard let thread = BusThread(name: "test.bus") else { throw TestFailure("no thread for a bus") }
    self.thread = thread
    self.address = address
  }

  /// What the method answers. The limit is a busy machine's: who asks again what has been done would be refused.
  @discardableResult
  func call(
    _ member: String, of interface: String, at path: String, on name: String, _ arguments: [BusValue] = []
  ) throws -> [BusValue] {
    do {
      let connection = try connection ?? BusConnection(address: address, description: "test")
      self.connection = connection
      return try connection.call(
        member, of: interface, at: path, on: name, arguments, within: .seconds(30))
    } catch {
      // The next time there may be another bus.
      close()
      throw error
    }
  }

  func close() {
    connection?.close()
    connection = nil
  }
}
