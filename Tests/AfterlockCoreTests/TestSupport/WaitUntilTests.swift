import AfterlockTestSupport
import Testing

@Suite("Waiting for something in a test")
struct WaitUntilTests {
  @Test func `a look that ends long after it was taken is not the last one`() async throws {
    var looks = 0
    try await waitUntil("the second look", limit: .milliseconds(1)) {
      looks += 1
      if looks == 1 { try await Task.sleep(for: .milliseconds(20)) }
      return looks == 2
    }
  }

  @Test func `what never holds is an error that says what`() async {
    let error = await #expect(throws: WaitedInVain.self) {
      try await waitUntil("rain", limit: .milliseconds(20)) { false }
    }
    #expect(error?.description == "waited in vain for rain")
  }
}
