import StubDBModel

/// A request pattern that looks at the entries of a journal.
struct JournalFilter {
  let pattern: RequestPattern
  private let template: PathTemplate?
  private let matching: RequestMatching

  init(_ pattern: RequestPattern) throws(Refusal) {
    var pattern = pattern
    if let host = pattern.host, !HostPattern.isCanonical(host) {
      pattern.host = HostPattern.canonical(host)
    }
    template =
      if case .template(let text) = pattern.path { PathTemplate(text) } else { PathTemplate?.none }
    var check = PatternCheck()
    if let refusal = check.refusal(of: pattern, template: template) { throw refusal }
    self.pattern = pattern
    matching = RequestMatching(check.operands)
  }

  func matches(_ event: ServeEvent) -> Bool {
    matching.matches(pattern, template: template, PreparedRequest(event.request))
  }
}
