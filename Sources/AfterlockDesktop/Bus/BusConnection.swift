import AfterlockCore
import CAfterlockShims
import CSystemd
import Glibc

/// A connection to a bus.
///
/// Confined to the thread that made it, see ``BusThread``. Ends with ``close()``.
final class BusConnection: BusThread.Source {
  let library: SDBus
  private var bus: OpaquePointer?
  /// Called once when the bus has said hello.
  var whenReady: (() -> Void)?
  /// Called once when the bus has gone.
  var whenLost: (() -> Void)?
  /// What the bus may still call: kept here, since the bus keeps nothing alive.
  private var handlers: [ObjectIdentifier: BusHandler] = [:]

  /// Connects and says hello; the answer comes later.
  init(address: String, description: String) throws(BusError) {
    library = try BusLibrary.load()
    try check(library.pointee.sd_bus_new(&bus), "a connection to the bus cannot be made")
    try check(library.pointee.sd_bus_set_address(bus, address), "\(address) is no address of a bus")
    try check(library.pointee.sd_bus_set_bus_client(bus, 1), "the bus takes no clients")
    try check(library.pointee.sd_bus_set_description(bus, description), "the connection cannot be named")
    // A bus that hangs does not hold us for longer, wherever its answer is waited for.
    try check(library.pointee.sd_bus_set_method_call_timeout(bus, 1_000_000), "no limit can be set")
    do throws(BusError) {
      try check(library.pointee.sd_bus_start(bus), "no bus answers at \(address)")
    } catch {
      close()
      throw error
    }
  }

  deinit { close() }

  func close() {
    guard let bus else { return }
    let handlers = handlers.values
    self.handlers = [:]
    // They keep the bus alive, and whoever waits for an answer gets none from here.
    for handler in handlers { handler.end() }
    // Where the bus has never said hello this would wait for that.
    if isReady { _ = library.pointee.sd_bus_flush(bus) }
    _ = library.pointee.sd_bus_close_unref(bus)
    self.bus = nil
  }

  // MARK: Taking turns

  var descriptor: Int32 { bus.map { library.pointee.sd_bus_get_fd($0) } ?? -1 }

  var events: Int16 {
    bus.map { Int16(truncatingIfNeeded: max(library.pointee.sd_bus_get_events($0), 0)) } ?? 0
  }

  var timeout: Int32 {
    var moment = UInt64.max
    guard let bus, library.pointee.sd_bus_get_timeout(bus, &moment) >= 0, moment != .max else { return -1 }
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let now = UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
    return moment <= now ? 0 : Int32(clamping: (moment - now + 999) / 1_000)
  }

  func process() {
    // A flood of calls must leave the others on this thread their turn; `poll` comes straight back.
    for _ in 0..<64 {
      guard let bus else { return }
      let result = library.pointee.sd_bus_process(bus, nil)
      if isReady, let ready = whenReady {
        whenReady = nil
        ready()
      }
      if result == 0 { return }
      if result < 0 { return lose() }
    }
  }

  private func lose() {
    close()
    let lost = whenLost
    whenLost = nil
    lost?()
  }

  private var isReady: Bool { bus.map { library.pointee.sd_bus_is_ready($0) > 0 } ?? false }

  // MARK: Names

  /// Waits for the bus's hello. sd-bus itself would wait for it for a minute and a half.
  private func waitForHello(within limit: Duration) throws(BusError) {
    let deadline = ContinuousClock.now + limit
    while true {
      process()
      _ = try open()
      if isReady { return }
      let left = (deadline - .now).microseconds
      guard left > 0 else {
        throw BusError("it has not said hello within \(limit.secondsText) s")
      }
      let patience = Int32(clamping: (left + 999) / 1_000)
      var entry = pollfd(fd: descriptor, events: events, revents: 0)
      poll(&entry, 1, timeout < 0 ? patience : min(timeout, patience))
    }
  }

  /// Our own name on this bus; waits for the bus's hello.
  func uniqueName(within limit: Duration = .seconds(5)) throws(BusError) -> String {
    try waitForHello(within: limit)
    var name: UnsafePointer<CChar>?
    try check(library.pointee.sd_bus_get_unique_name(try open(), &name), "the bus does not say hello")
    return name.map { String(cString: $0) } ?? ""
  }

  /// Takes a name for as long as the connection is there; waits for the bus's answer.
  /// - Returns: `false` when somebody else has it.
  func takeName(_ name: String) throws(BusError) -> Bool {
    let result = library.pointee.sd_bus_request_name(try open(), name, 0)
    if result == -EEXIST { return false }
    if result == -EALREADY { return true }
    try check(result, "the name \(name) cannot be taken")
    return true
  }

  // MARK: Sending

  /// Sends a signal.
  func emit(_ member: String, of interface: String, at path: String, _ arguments: [BusValue]) throws(BusError)
  {
    var pointer: OpaquePointer?
    try check(
      library.pointee.sd_bus_message_new_signal(try open(), &pointer, path, interface, member),
      "a signal cannot be made")
    try send(pointer, arguments)
  }

  /// Tells of properties that have changed; their values are asked of the getters.
  func emitChanges(of names: [String], in interface: String, at path: String) throws(BusError) {
    var pointers = names.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    try check(
      library.pointee.sd_bus_emit_properties_changed_strv(try open(), path, interface, &pointers),
      "changed properties cannot be told of")
  }

  /// Answers a call.
  func reply(to call: BusMessage, _ results: [BusValue] = []) throws(BusError) {
    var pointer: OpaquePointer?
    try check(
      library.pointee.sd_bus_message_new_method_return(call.pointer, &pointer), "an answer cannot be made")
    try send(pointer, results)
  }

  /// Answers a call with what stands against it.
  func refuse(_ call: BusMessage, _ error: BusError) throws(BusError) {
    var failure = sd_bus_error()
    defer { library.pointee.sd_bus_error_free(&failure) }
    _ = library.pointee.sd_bus_error_set(&failure, error.busName, error.message)
    var pointer: OpaquePointer?
    try check(
      library.pointee.sd_bus_message_new_method_error(call.pointer, &pointer, &failure),
      "an answer cannot be made")
    try send(pointer, [])
  }

  /// Calls a method and waits for the answer.
  func call(
    _ member: String, of interface: String, at path: String, on name: String, _ arguments: [BusValue] = [],
    within limit: Duration = .seconds(5)
  ) throws(BusError) -> [BusValue] {
    var pointer: OpaquePointer?
    try check(
      library.pointee.sd_bus_message_new_method_call(try open(), &pointer, name, path, interface, member),
      "a call cannot be made")
    guard let pointer else { return [] }
    defer { _ = library.pointee.sd_bus_message_unref(pointer) }
    let message = BusMessage(library: library, pointer: pointer)
    for argument in arguments { try message.append(argument) }
    var failure = sd_bus_error()
    var reply: OpaquePointer?
    let result = library.pointee.sd_bus_call(
      bus, pointer, UInt64(max(limit.microseconds, 1)), &failure, &reply)
    defer { library.pointee.sd_bus_error_free(&failure) }
    guard result >= 0, let reply else {
      let words = failure.message.map { String(cString: $0) } ?? String(cString: strerror(-result))
      throw BusError(words, name: failure.name.map { String(cString: $0) } ?? "")
    }
    defer { _ = library.pointee.sd_bus_message_unref(reply) }
    return try BusMessage(library: library, pointer: reply).all()
  }

  /// Calls a method and lets the thread go on until the answer is there, or the time is over, or the connection is closed.
  /// A service that does not run is not started.
  /// - Parameter read: takes what is needed out of the answer, which is gone afterwards.
  func ask<Value: Sendable>(
    _ member: String, of interface: String, at path: String, on name: String, _ arguments: [BusValue] = [],
    within limit: Duration = .seconds(5), reading read: @escaping (BusMessage) throws(BusError) -> Value
  ) async throws(BusError) -> Value {
    let answer: Result<Value, BusError> = await withCheckedContinuation { continuation in
      let handler = BusHandler(library: library) { [weak self] handler, message in
        self?.handlers[ObjectIdentifier(handler)] = nil
        continuation.resume(returning: Self.result(of: message, read))
      }
      do throws(BusError) {
        try post(member, of: interface, at: path, on: name, arguments, within: limit, to: handler)
        handlers[ObjectIdentifier(handler)] = handler
      } catch {
        continuation.resume(returning: .failure(error))
      }
    }
    return try answer.get()
  }

  /// Calls a method as ``ask(_:of:at:on:_:within:reading:)`` does, and gives all that the answer holds.
  func ask(
    _ member: String, of interface: String, at path: String, on name: String, _ arguments: [BusValue] = [],
    within limit: Duration = .seconds(5)
  ) async throws(BusError) -> [BusValue] {
    try await ask(member, of: interface, at: path, on: name, arguments, within: limit) {
      message throws(BusError) in try message.all()
    }
  }

  /// Calls `take` for each signal that fits the rule, until the connection closes or ``forget(_:)`` is called.
  func listen(_ rule: String, _ take: @escaping (BusMessage) -> Void) throws(BusError) -> BusHandler {
    let handler = BusHandler(library: library) { _, message in
      if let message { take(message) }
    }
    try check(
      library.pointee.sd_bus_add_match_async(
        try open(), &handler.slot, rule, busHandlerCalled, nil, handler.context),
      "signals cannot be listened to")
    handlers[ObjectIdentifier(handler)] = handler
    return handler
  }

  /// Listens no more.
  func forget(_ handler: BusHandler) {
    handlers[ObjectIdentifier(handler)] = nil
    handler.letGo()
  }

  private func post(
    _ member: String, of interface: String, at path: String, on name: String, _ arguments: [BusValue],
    within limit: Duration, to handler: BusHandler
  ) throws(BusError) {
    var pointer: OpaquePointer?
    try check(
      library.pointee.sd_bus_message_new_method_call(try open(), &pointer, name, path, interface, member),
      "a call cannot be made")
    guard let pointer else { return }
    defer { _ = library.pointee.sd_bus_message_unref(pointer) }
    let message = BusMessage(library: library, pointer: pointer)
    for argument in arguments { try message.append(argument) }
    try check(library.pointee.sd_bus_message_set_auto_start(pointer, 0), "a call cannot be made")
    try check(
      library.pointee.sd_bus_call_async(
        bus, &handler.slot, pointer, busHandlerCalled, handler.context, UInt64(max(limit.microseconds, 1))),
      "a call cannot be sent")
  }

  private static func result<Value>(
    of message: BusMessage?, _ read: (BusMessage) throws(BusError) -> Value
  ) -> Result<Value, BusError> {
    guard let message else { return .failure(BusError("the bus has gone")) }
    if let failure = message.failure { return .failure(failure) }
    do throws(BusError) {
      return .success(try read(message))
    } catch {
      return .failure(error)
    }
  }

  private func send(_ pointer: OpaquePointer?, _ arguments: [BusValue]) throws(BusError) {
    guard let pointer else { return }
    let message = BusMessage(library: library, pointer: pointer)
    defer { _ = library.pointee.sd_bus_message_unref(pointer) }
    for argument in arguments { try message.append(argument) }
    try check(library.pointee.sd_bus_send(bus, pointer, nil), "a message cannot be sent")
  }

  // MARK: Objects

  /// Answers calls on an interface of an object. `table` and what `context` points to outlive the connection.
  func add(
    _ interface: String, at path: String, _ table: UnsafePointer<sd_bus_vtable>,
    context: UnsafeMutableRawPointer
  ) throws(BusError) {
    try check(
      library.pointee.sd_bus_add_object_vtable(try open(), nil, path, interface, table, context),
      "the interface \(interface) cannot be offered")
  }

  /// The process that sent a message and its program, as far as the bus and the system know them; asks the bus.
  func sender(of message: BusMessage) -> (processID: Int32?, program: String?) {
    var credentials: OpaquePointer?
    let mask = UInt64(SD_BUS_CREDS_PID) | UInt64(SD_BUS_CREDS_COMM) | UInt64(SD_BUS_CREDS_AUGMENT)
    guard library.pointee.sd_bus_query_sender_creds(message.pointer, mask, &credentials) >= 0 else {
      return (nil, nil)
    }
    defer { _ = library.pointee.sd_bus_creds_unref(credentials) }
    var process = pid_t()
    var name: UnsafePointer<CChar>?
    let hasProcess = library.pointee.sd_bus_creds_get_pid(credentials, &process) >= 0
    let hasName = library.pointee.sd_bus_creds_get_comm(credentials, &name) >= 0
    return (hasProcess ? process : nil, hasName ? name.map { String(cString: $0) } : nil)
  }

  private func open() throws(BusError) -> OpaquePointer {
    guard let bus else { throw BusError("the bus has gone") }
    return bus
  }

  private func check(_ result: Int32, _ what: String) throws(BusError) {
    if result < 0 { throw BusError("\(what): \(String(cString: strerror(-result)))") }
  }
}
