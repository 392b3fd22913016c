import AfterlockCore
import AfterlockTestSupport

/// One random life of the program on a real desktop: what happens follows from the seed, and what is heard is judged at each
/// moment of rest.
struct Life {
  /// A law that was broken, and all that had happened before.
  struct Violation: Error, CustomStringConvertible {
    let law: LifeJudge.Law
    let seed: UInt64
    let story: [String]
    let log: String

    var description: String {
      "\(law.rawValue), seed \(seed):\n" + story.map { "  \($0)" }.joined(separator: "\n") + "\n\(log)"
    }
  }

  /// A fault of the program or of the world that the laws must find.
  enum Fault: CaseIterable { case ignoresLock, followsOnRouteLoss, playsOnUnlock, pausesOnWake, skipsOnWake }

  let seed: UInt64
  let options: LifeModel.Options
  /// What happens without a rest in between.
  let bursts: [[LifeEvent]]
  var fault: Fault?
  /// How long it may take until what is to be heard is heard, and nothing else. Generous: a busy machine is no fault.
  var limit = Duration.seconds(20)

  /// A life that is told.
  init(_ options: LifeModel.Options, _ bursts: [[LifeEvent]]) {
    (seed, self.options, self.bursts) = (0, options, bursts)
  }

  /// The life of this number.
  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    self.seed = seed
    options = LifeModel.Options(
      startsPaused: Int.random(in: 0..<4, using: &random) == 0,
      pausesOnLock: Int.random(in: 0..<4, using: &random) > 0,
      onRouteLoss: ["auto", "auto", "pause", "follow"].randomElement(using: &random) ?? "auto")
    var model = LifeModel(options)
    bursts = (0..<Int.random(in: 5...8, using: &random)).map { _ in
      (0..<[1, 1, 1, 2, 3][Int.random(in: 0..<5, using: &random)]).map { _ in
        let event = model.draw(&random)
        model.take(event)
        return event
      }
    }
  }

  /// Plays it, makes all well again, and lets the viewer say Play at its end.
  /// - Returns: how often sound was to begin, and all that happened.
  func play(in world: LifeWorld) async throws -> (starts: Int, story: [String]) {
    var course = Course(life: self, world: world)
    do {
      try await course.begin()
      for burst in bursts { try await course.go(through: burst) }
      try await course.go(through: course.model.cures)
      if course.model.heardAt == nil { try await course.go(through: [.command(.play)]) }
      try await world.endPlayer()
      try await course.cure()
      return (course.starts, course.story)
    } catch let law as LifeJudge.Law {
      let violation = Violation(law: law, seed: seed, story: course.story, log: await world.log)
      try await world.killPlayer()
      try await course.cure()
      throw violation
    } catch let fault as WorldFault {
      throw fault
    } catch {
      throw TestFailure(
        "seed \(seed):\n" + course.story.map { "  \($0)" }.joined(separator: "\n") + "\n\(error)")
    }
  }
}

extension LifeJudge.Law: Error {}

/// A life while it is played.
private struct Course {
  let life: Life
  let world: LifeWorld
  var model: LifeModel
  var place = LifePlace()
  var story: [String] = []
  var starts = 0
  private var lastLook = ContinuousClock.now

  /// How many cycles of silence are a rest.
  private static let restCycles = 5
  private static let restFrames = restCycles * 2_048

  init(life: Life, world: LifeWorld) {
    (self.life, self.world) = (life, world)
    model = LifeModel(life.options)
  }

  mutating func begin() async throws {
    var options = life.options
    if life.fault == .ignoresLock { options.pausesOnLock = false }
    if life.fault == .followsOnRouteLoss { options.onRouteLoss = "follow" }
    story.append("afterlock play \(options.words.joined(separator: " "))")
    // What the one before has left on its way is none of this one's.
    _ = await world.letTimePass(cycles: 4)
    try await world.listen()
    _ = await world.takeHeard()
    try await world.startPlayer(options.words)
    try await rest(before: nil, between: [], moves: false)
  }

  /// Leaves the world to the next life as this one found it.
  mutating func cure() async throws {
    for event in model.cures {
      let was = model
      model.take(event)
      try await world.happen(event, was, model)
    }
    if model.chosen != .head { try await world.choose(.head) }
  }

  mutating func go(through events: [LifeEvent]) async throws {
    guard !events.isEmpty else { return }
    let before = model.heardAt
    var between: [LifeSink?] = []
    for event in events {
      story.append("\(event)")
      let was = model
      model.take(event)
      runOn(if: was.heardAt != nil)
      place.take(event, isStopped: was.isStopped)
      try await world.happen(event, was, model)
      if event == .wake, life.fault == .pausesOnWake { try await world.command("Pause") }
      if event == .wake, life.fault == .skipsOnWake { try await world.command("Next") }
      if case .unlock = event, life.fault == .playsOnUnlock { try await world.command("Play") }
      runOn(if: was.heardAt != nil || model.heardAt != nil)
      between.append(model.heardAt)
      if was.heardAt == nil, model.heardAt != nil { starts += 1 }
    }
    try await rest(
      before: before, between: between.dropLast().compactMap(\.self),
      moves: events.contains(where: LifePlace.isMoved(by:)))
  }

  private mutating func runOn(if isHeard: Bool) {
    let now = ContinuousClock.now
    if isHeard { place.runOn(frames: Int((now - lastLook) / .microseconds(1)) * LifePlace.rate / 1_000_000) }
    lastLook = now
  }

  /// Waits until it is as it is to be, and judges all that was heard on the way.
  /// - Parameters:
  ///   - before: where sound was to be at the rest before.
  ///   - between: where it was to be at some time since.
  ///   - moves: whether something has moved the place since.
  private mutating func rest(before: LifeSink?, between: [LifeSink], moves: Bool) async throws {
    var heard = Heard()
    let at = model.heardAt
    func stretch(_ sink: LifeSink, isOver: Bool = false) -> LifeJudge.Stretch {
      LifeJudge.Stretch(
        before: before == sink, between: between.contains(sink), after: at == sink && !isOver,
        rest: isOver ? 0 : Self.restFrames)
    }
    try await world.listen()
    heard.take(await world.takeHeard())
    for (sink, pieces, end) in heard.over {
      story.append("  \(sink.rawValue), which is gone, has had \(pieces.inWords)")
      if let law = LifeJudge.judge(pieces, to: end, stretch(sink, isOver: true)) { throw law }
    }
    let marks = heard.ends
    let deadline = ContinuousClock.now + life.limit
    var isLast = false
    while true {
      if await !world.letTimePass(cycles: 2) { try await Task.sleep(for: .milliseconds(5)) }
      try await world.listen()
      heard.take(await world.takeHeard())
      runOn(if: at != nil)
      let isQuiet = heard.ends.allSatisfy { sink, end in
        sink == at || end - max(heard.lastSound(sink), marks[sink] ?? 0) >= Self.restFrames
      }
      let sound = at.flatMap { heard.fresh($0, after: marks[$0] ?? 0, within: Self.restFrames) }
      let isRight = at == nil || sound.map { place.allows($0.lastNumber) } == true
      // Nothing that comes later makes that good again.
      let isBroken = heard.ends.contains { sink, end in
        LifeJudge.judge(heard.pieces[sink] ?? [], to: end, stretch(sink)) == .noStartWithoutWish
      }
      if isLast || isBroken || isQuiet && isRight { break }
      isLast = ContinuousClock.now > deadline
    }
    let words = heard.pieces.filter { !$0.value.isEmpty }.map { "\($0.key.rawValue) \($0.value.inWords)" }
    story.append(
      "  to be heard: \(at.map { "\($0.rawValue), at \(place)" } ?? "nothing"); "
        + "heard: \(words.isEmpty ? "nothing" : words.sorted().joined(separator: ", "))")
    for (sink, end) in heard.ends {
      if let law = LifeJudge.judge(heard.pieces[sink] ?? [], to: end, stretch(sink)) { throw law }
    }
    try judgePlace(heard, at, isFresh: before == nil && between.isEmpty && !moves, marks)
    if !moves || at != nil { remember(heard, at) }
  }

  /// What is heard is where the viewer left it or has moved it to.
  private func judgePlace(_ heard: Heard, _ at: LifeSink?, isFresh: Bool, _ marks: [LifeSink: Int]) throws {
    guard let at else { return }
    guard let last = heard.fresh(at, after: marks[at] ?? 0, within: Self.restFrames) else {
      throw LifeJudge.Law.noSilenceAgainstWish
    }
    guard place.allows(last.lastNumber) else { throw LifeJudge.Law.rightPlace }
    if isFresh, let first = heard.pieces[at]?.first, !place.allows(first.number) {
      throw LifeJudge.Law.rightPlace
    }
  }

  /// Where it stopped, or plays now.
  private mutating func remember(_ heard: Heard, _ at: LifeSink?) {
    let all = heard.over.map { ($0.sink, $0.pieces) } + heard.pieces.map { ($0.key, $0.value) }
    let sounding = all.filter { sink, pieces in !pieces.isEmpty && (at == nil || sink == at) }
    // Where two have had sound, who knows which was the last.
    guard sounding.count == 1, let last = sounding[0].1.last, last.number >= 0 else { return }
    place.hear(last.lastNumber)
  }
}

/// What the sinks have had since the last rest.
private struct Heard {
  var pieces: [LifeSink: [HeardPiece]] = [:]
  var ends: [LifeSink: Int] = [:]
  /// Of sinks that are there no more.
  var over: [(sink: LifeSink, pieces: [HeardPiece], end: Int)] = []

  mutating func take(_ news: [LifeWorld.News]) {
    for news in news {
      if news.isOver {
        over.append((news.sink, news.pieces, news.end))
      } else {
        pieces[news.sink, default: []].join(news.pieces)
        ends[news.sink] = news.end
      }
    }
  }

  func lastSound(_ sink: LifeSink) -> Int { pieces[sink]?.last?.place.upperBound ?? 0 }

  /// The last sound, if it came after a place and goes on.
  func fresh(_ sink: LifeSink, after mark: Int, within frames: Int) -> HeardPiece? {
    guard let last = pieces[sink]?.last, last.place.upperBound > mark,
      (ends[sink] ?? 0) - last.place.upperBound < frames
    else { return nil }
    return last
  }
}

extension [HeardPiece] {
  /// For a person who wonders.
  fileprivate var inWords: String {
    guard let first, let last else { return "nothing" }
    let frames = reduce(0) { $0 + $1.place.count }
    return
      "\(LifePlace.seconds(frames)) s in \(count) \(count == 1 ? "piece" : "pieces"), from \(LifePlace.seconds(Swift.max(first.number, 0)))"
      + " to \(LifePlace.seconds(Swift.max(last.lastNumber, 0)))"
  }
}
