import StubDBSupport
import Testing

/// Expects that the traits after it record these issues at the line of the test, and no others, in place of failing.
struct ExpectedFindings: TestTrait, TestScoping {
  /// A part of each issue, by the name of its variation; empty for issues of the test itself.
  let parts: [String: String]

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let found = Locked([(text: String, place: SourceLocation?)]())
    let trait = IssueHandlingTrait.compactMapIssues { issue in
      // Earlier versions do not distinguish failures from warnings.
      #if compiler(>=6.3)
        guard issue.isFailure else { return issue }
      #endif
      let text = issue.comments.first?.rawValue ?? "\(issue)"
      found.withLock { $0.append((text, issue.sourceLocation)) }
      return nil
    }
    try await trait.provideScope(for: test, testCase: testCase, performing: function)
    let issues = found.withLock { $0 }
    #expect(
      issues.map { String($0.text.prefix { $0 != ":" }) }.sorted() == parts.keys.sorted(),
      "\(issues.map(\.text))", sourceLocation: test.sourceLocation)
    for issue in issues {
      let part = parts[String(issue.text.prefix { $0 != ":" })] ?? ""
      guard !part.isEmpty else { continue }
      #expect(issue.place == test.sourceLocation, sourceLocation: test.sourceLocation)
      #expect(issue.text.contains(part), sourceLocation: test.sourceLocation)
    }
  }
}

extension Trait where Self == ExpectedFindings {
  /// Expects issues with these parts, by the names of their variations; `[:]` if nothing may be found.
  static func finds(_ parts: [String: String]) -> Self { ExpectedFindings(parts: parts) }
}

#if compiler(>=6.3)
  /// Expects that the traits after it record one warning, with a text in it, or none, besides that of a scenario which nothing
  /// asked.
  struct ExpectedWarning: TestTrait, SuiteTrait, TestScoping {
    /// Nil for no warning.
    let part: String?
    let isRecursive = true

    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
      testCase == nil ? nil : self
    }

    func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
      let found = Locked([String]())
      let trait = IssueHandlingTrait.compactMapIssues { issue in
        guard !issue.isFailure else { return issue }
        let text = issue.comments.first?.rawValue ?? "\(issue)"
        if !text.contains(" was asked nothing.") { found.withLock { $0.append(text) } }
        return nil
      }
      try await trait.provideScope(for: test, testCase: testCase, performing: function)
      let texts = found.withLock { $0 }
      #expect(
        texts.count == (part == nil ? 0 : 1), "\(texts)", sourceLocation: test.sourceLocation)
      for text in texts {
        #expect(text.contains(part ?? ""), "\(texts)", sourceLocation: test.sourceLocation)
      }
    }
  }

  extension Trait where Self == ExpectedWarning {
    /// Expects one warning with this text in it.
    static func warns(_ part: String) -> Self { ExpectedWarning(part: part) }

    /// Expects no warning.
    static var warnsNothing: Self { ExpectedWarning(part: nil) }
  }
#endif
