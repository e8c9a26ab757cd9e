import StubDBModel
import StubDBSupport

extension MultipartOperator: CompilableBody {
  func compiled(_ compiler: inout PatternCompiler) throws(CompileError) -> any CompiledBody {
    try Multipart(self, &compiler)
  }
}

/// The operator `multipart`.
struct Multipart: CompiledBody {
  /// What one part must satisfy.
  private struct Part: Sendable {
    let pattern: PartPattern
    let filename: (any CompiledValue)?
    let headers: [CompiledNamed]
    let body: [any CompiledBody]

    var asksForCaptured: Bool {
      filename?.asksForCaptured == true || headers.contains { $0.value.asksForCaptured }
        || body.contains(where: \.asksForCaptured)
    }
  }

  let pattern: BodyPattern
  private let parts: [Part]
  private let isExact: Bool

  init(_ multipart: MultipartOperator, _ compiler: inout PatternCompiler) throws(CompileError) {
    let parts = multipart.parts
    pattern = .multipart(parts, isExact: multipart.isExact)
    isExact = multipart.isExact
    self.parts = try compiler.placed("multipart") { (compiler) throws(CompileError) in
      try compiler.list(parts) { (compiler, part) throws(CompileError) in
        var filename: (any CompiledValue)?
        if let pattern = part.filename {
          filename = try compiler.placed("filename") { (compiler) throws(CompileError) in
            try compiler.value(pattern)
          }
        }
        return Part(
          pattern: part, filename: filename,
          headers: try compiler.named(part.headers.map(\.named), in: "headers"),
          body: try compiler.bodyList(part.body))
      }
    }
  }

  var form: PreparedBody.FormKind { .parts }
  var asksForCaptured: Bool { parts.contains(where: \.asksForCaptured) }

  func compare(_ body: PreparedBody, _ scope: MatchScope, _ report: BodyReport?) -> Bool? {
    if let report, case .malformed(let reason) = body.parts {
      report.add(Mismatch.Part(.body), pattern.phrase, reason)
    }
    return body.parts.decided { found in
      guard let report else {
        if isExact { return exactVerdict(found, scope) }
        return Verdict.all(parts) { part in Verdict.any(found) { Self.matches($0, part, scope) } }
      }
      var total = 0.0
      let verdicts = parts.map { part in
        let verdict = Verdict.any(found) { Self.matches($0, part, scope) }
        if verdict != true { total += Self.explain(part, found, scope, report) }
        return verdict
      }
      report.distance = min(1, total / Double(max(1, parts.count)))
      let verdict = Verdict.all(verdicts) { $0 }
      guard isExact, verdict != false else { return verdict }
      let exact = exactVerdict(found, scope)
      if exact == false { addOthers(found, scope, report) }
      return exact
    }
  }

  /// Whether each pattern has a part of its own, and no part is left.
  private func exactVerdict(_ found: [PreparedPart], _ scope: MatchScope) -> Bool? {
    guard found.count == parts.count else { return false }
    var isCertain = true
    let choices = parts.map { part in
      found.indices.filter { place in
        let verdict = Self.matches(found[place], part, scope)
        if verdict == nil { isCertain = false }
        return verdict == true
      }
    }
    if choices.contains([]) { return isCertain ? false : nil }
    let isWhole = BipartiteMatching.assign(choices, to: found.count).allSatisfy { $0 != nil }
    return isWhole ? true : isCertain ? false : nil
  }

  /// Notes the parts that no pattern is for.
  private func addOthers(_ found: [PreparedPart], _ scope: MatchScope, _ report: BodyReport) {
    let others = found.filter { part in
      !parts.contains { Self.matches(part, $0, scope) != false }
    }
    for other in others.prefix(20) {
      report.add(
        Mismatch.Part(.part, other.name.map(TextExcerpt.plain)), "absent (the parts are exact)",
        "a part that no pattern is for")
    }
    if others.isEmpty {
      report.add(
        Mismatch.Part(.body), "exactly \(parts.count) parts", "\(found.count), some of them alike")
    }
    report.distance = min(1, Double(max(1, others.count)) / Double(found.count + 1))
  }

  /// Whether one part of a content satisfies the pattern.
  private static func matches(
    _ part: PreparedPart, _ expected: Part, _ scope: MatchScope
  ) -> Bool? {
    if let name = expected.pattern.name {
      guard let actual = part.name, ByteText.isEqual(name, actual) else { return false }
    }
    let filename = expected.filename.map { $0.matches(part.filename, scope) }
    let headers = Verdict.all(expected.headers) {
      $0.value.matches(part.values(ofHeader: $0.name), scope)
    }
    let body = Verdict.all(expected.body) { $0.verdict(part.body, scope) }
    return Verdict.all([filename ?? true, headers, body]) { $0 }
  }

  /// Notes the differences in the part of that name, and returns its distance.
  private static func explain(
    _ part: Part, _ found: [PreparedPart], _ scope: MatchScope, _ report: BodyReport
  ) -> Double {
    let named = found.filter { other in part.pattern.name.map { $0 == other.name } ?? true }
    guard let nearest = named.first else {
      let names = found.prefix(20).map { $0.name ?? "(without a name)" }
      report.add(
        Mismatch.Part(.part, part.pattern.name.map(TextExcerpt.plain)), part.pattern.phrase,
        "no such part; there is " + ReportPhrase.list(names))
      return 1
    }
    let before = report.mismatches.count
    explain(part, nearest, scope, report)
    let parts = part.pattern.body.count + part.pattern.headers.count + 2
    return Double(report.mismatches.count - before) / Double(parts)
  }

  private static func explain(
    _ expected: Part, _ part: PreparedPart, _ scope: MatchScope, _ report: BodyReport
  ) {
    let pattern = expected.pattern
    let title = pattern.name == nil ? "part \(part.name ?? "without a name")" : pattern.title
    if let filename = expected.filename, filename.matches(part.filename, scope) != true {
      report.add(
        Mismatch.Part(.filename).inside(title), pattern.filename?.phrase ?? "",
        ReportPhrase.actual(part.filename.map { [$0] } ?? []))
    }
    for header in expected.headers {
      let found = part.values(ofHeader: header.name)
      guard header.value.matches(found, scope) != true else { continue }
      report.add(
        Mismatch.Part(.header, header.name).inside(title), header.shownPattern.phrase,
        ReportPhrase.actual(found.values, of: header.name))
    }
    let isSecret = !SecretDisplay.isShown && SensitiveName(part.name ?? "") != .none
    for body in expected.body {
      let inner = BodyReport()
      guard body.verdict(part.body, scope, inner) != true else { continue }
      for mismatch in inner.mismatches {
        var mismatch = mismatch
        if isSecret {
          mismatch.expected = body.pattern.hidingSecrets(of: part.name ?? "").phrase
          if case .value(let data) = part.body.bytes {
            let text = String(decoding: data, as: UTF8.self)
            mismatch.actual = TextExcerpt.quoted(SecretDisplay.secret(text))
          }
        }
        mismatch.part = mismatch.part.inside(title)
        report.add(mismatch)
      }
    }
  }
}
