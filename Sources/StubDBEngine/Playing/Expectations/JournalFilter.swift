import StubDBModel

/// Applies a request pattern to the entries of a journal.
struct JournalFilter {
  let pattern: RequestPattern
  private let compiled: CompiledRequest

  init(_ pattern: RequestPattern) throws(CompileError) {
    var pattern = pattern
    if let host = pattern.host, !HostPattern.isCanonical(host) {
      pattern.host = HostPattern.canonical(host)
    }
    self.pattern = pattern
    var compiler = PatternCompiler()
    compiled = try compiler.request(pattern)
  }

  func matches(_ event: ServeEvent) -> Bool {
    let request = PreparedRequest(event.request)
    return compiled.matches(request, MatchScope(request.context))
  }
}
