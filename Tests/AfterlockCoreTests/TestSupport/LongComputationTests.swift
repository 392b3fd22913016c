import AfterlockTestSupport
import Testing

@Suite("Tests that compute for long")
struct LongComputationTests {
  @Test(.computesForLong) func `run beside the pool that others wait for`() {
    #expect(LongComputation.isCurrent)
  }

  @Test(.computesForLong) func `and are back there when they have waited`() async {
    await Task.yield()
    #expect(LongComputation.isCurrent)
  }

  @Test func `and others do not run there`() { #expect(!LongComputation.isCurrent) }
}
