@testable import StubDBEngine

extension CompiledStubs {
  /// Whether a stub matches, with every part compared.
  func matches(
    _ rank: Int, _ request: PreparedRequest, captured: CapturedValues = CapturedValues()
  ) -> Bool {
    requests[rank].matches(request, scope(rank, request, captured))
  }
}
