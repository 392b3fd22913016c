/// Who waits for the server to have carried out what it was asked to, as a value: told of the server's answers, it says
/// who need not wait any longer.
///
/// The server answers in order, so the answer to a question says that all before it was read. A hold it passes on to the
/// stream's own side, and only what comes back from there ends it: so each asks twice.
struct RoundTrips {
  private struct Waiting {
    var question: Int32
    var questionsLeft: Int
    let answered: @Sendable () -> Void
  }

  private var waiting: [Waiting] = []

  /// Begins to wait; `ask` asks the server and gives the question's number.
  mutating func begin(_ answered: @escaping @Sendable () -> Void, ask: () -> Int32) {
    waiting.append(Waiting(question: ask(), questionsLeft: 1, answered: answered))
  }

  /// The server has answered a question, perhaps one of others.
  /// - Returns: who has waited long enough.
  mutating func answer(to question: Int32, ask: () -> Int32) -> [@Sendable () -> Void] {
    guard let index = waiting.firstIndex(where: { $0.question == question }) else { return [] }
    guard waiting[index].questionsLeft > 0 else { return [waiting.remove(at: index).answered] }
    waiting[index].questionsLeft -= 1
    waiting[index].question = ask()
    return []
  }

  /// There is nobody left to answer.
  mutating func endAll() -> [@Sendable () -> Void] {
    defer { waiting = [] }
    return waiting.map(\.answered)
  }
}
