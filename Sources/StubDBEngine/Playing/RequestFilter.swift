package import Foundation
internal import StubDBJSON
package import StubDBModel

/// Tells which requests a pattern matches, outside any scenario.
package struct RequestFilter: Sendable {
  /// The pattern, its host in canonical form.
  package let pattern: RequestPattern
  /// Nil for all requests.
  private let compiled: CompiledRequest?

  /// A filter that accepts all requests.
  package static let everything = RequestFilter()

  private init() {
    pattern = RequestPattern()
    compiled = nil
  }

  /// Compiles the pattern.
  ///
  /// - Throws: ``EngineError`` for a pattern that this version cannot match; its pointer begins in the pattern.
  package init(_ pattern: RequestPattern) throws(EngineError) {
    var pattern = pattern
    if let host = pattern.host, !HostPattern.isCanonical(host) {
      pattern.host = HostPattern.canonical(host)
    }
    self.pattern = pattern
    guard pattern != RequestPattern() else {
      compiled = nil
      return
    }
    var compiler = PatternCompiler()
    do throws(CompileError) {
      compiled = try compiler.request(pattern)
    } catch {
      let pointer = JSONPointer(error.path)
      throw EngineError(
        code: error.code, message: "the pattern cannot match: \(pointer): \(error.reason)",
        reason: error.reason, scenario: ScenarioName(unchecked: "filter"), pointer: pointer)
    }
  }

  /// Whether the pattern matches a request that comes at a time.
  package func matches(_ request: StubRequest, at arrival: Date) -> Bool {
    matches(PreparedRequest(request, context: MatchContext(arrival: arrival)))
  }

  /// Whether the pattern matches a request that is parsed already.
  package func matches(_ request: PreparedRequest) -> Bool {
    compiled.map { $0.matches(request, MatchScope(request.context)) } ?? true
  }

  /// How far a request is from the pattern: 0 if it matches, at most 1.
  package func distance(of request: PreparedRequest) -> Double {
    compiled.map { RequestComparison($0, request, MatchScope(request.context)).distance } ?? 0
  }

  /// Whether the pattern matches the request of a journal.
  func matches(_ event: ServeEvent) -> Bool {
    compiled == nil || matches(PreparedRequest(event.request))
  }
}
