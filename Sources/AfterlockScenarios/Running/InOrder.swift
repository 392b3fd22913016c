import Foundation

/// Does something with many values at once, and hands on what comes of it in the order of the values.
package enum InOrder {
  /// - Parameters:
  ///   - atOnce: how many at the same time; as many as there are processors when nothing is said.
  ///   - each: called with the place of a value and what came of it, one after the other.
  package static func map<Input: Sendable, Output: Sendable>(
    _ inputs: [Input], atOnce: Int = ProcessInfo.processInfo.activeProcessorCount,
    _ transform: @escaping @Sendable (Input) async -> Output, each: (Int, Output) -> Void = { _, _ in }
  ) async -> [Output] {
    await withTaskGroup(of: (Int, Output).self) { group in
      var waiting: [Int: Output] = [:]
      var outputs: [Output] = []
      var next = 0
      func begin() {
        guard next < inputs.count else { return }
        let (index, input) = (next, inputs[next])
        next += 1
        group.addTask { (index, await transform(input)) }
      }
      for _ in 0..<max(1, atOnce) { begin() }
      for await (index, output) in group {
        begin()
        waiting[index] = output
        while let output = waiting.removeValue(forKey: outputs.count) {
          each(outputs.count, output)
          outputs.append(output)
        }
      }
      return outputs
    }
  }
}
