import AfterlockTestSupport
import Testing

@testable import AfterlockDesktop

/// Runs the body on a live desktop with buses that a login may be mocked on.
func withLogin(_ body: (LiveDesktop, MockedLogin) async throws -> Void) async throws {
  try await withLiveDesktop { live in
    let login = try MockedLogin(on: live)
    let result = await Result { try await body(live, login) }
    await login.close()
    try result.get()
  }
}

/// Asks the one player something that it does not refuse.
func playerctl(_ live: LiveDesktop, _ word: String) async throws {
  let output = try await live.run("playerctl", ["-p", "afterlock", word])
  #expect(output.status == .code(0), "\(output.errorText)")
}
