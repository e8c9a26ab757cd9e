import StubDBModel
import StubDBSupport

/// A pattern for the values of one name, ready to be applied.
///
/// A class, because a structure would be retained part by part for every request that it is compared with.
final class CompiledNamed: Sendable {
  let name: String
  let pattern: ValuePattern
  let value: any CompiledValue

  init(name: String, pattern: ValuePattern, value: any CompiledValue) {
    self.name = name
    self.pattern = pattern
    self.value = value
  }

  /// The pattern as it may be shown.
  var shownPattern: ValuePattern { pattern.hidingSecrets(of: name) }
}

extension PatternCompiler {
  /// Compiles patterns; the place of an error contains the name of the pattern.
  mutating func named(
    _ patterns: [NamedPattern], in part: String
  ) throws(CompileError) -> [CompiledNamed] {
    var compiled: [CompiledNamed] = []
    compiled.reserveCapacity(patterns.count)
    for named in patterns {
      do throws(CompileError) {
        compiled.append(
          CompiledNamed(
            name: named.name, pattern: named.pattern, value: try value(named.pattern)))
      } catch {
        throw error.inside(part, named.name)
      }
    }
    return compiled
  }
}

extension FormOperator: CompilableBody {
  func compiled(_ compiler: inout PatternCompiler) throws(CompileError) -> any CompiledBody {
    try CompiledForm(self, &compiler)
  }
}

/// The operator `form`.
struct CompiledForm: CompiledBody {
  let pattern: BodyPattern
  private let fields: [CompiledNamed]
  /// The names that fields may have; nil for any.
  private let names: ExactNames?

  init(_ form: FormOperator, _ compiler: inout PatternCompiler) throws(CompileError) {
    pattern = .form(form.fields, isExact: form.isExact)
    fields = try compiler.named(form.fields, in: "form")
    names = form.isExact ? ExactNames(form.fields) : nil
  }

  var form: PreparedBody.FormKind { .form }
  var asksForCaptured: Bool { fields.contains { $0.value.asksForCaptured } }

  func compare(_ body: PreparedBody, _ scope: MatchScope, _ report: BodyReport?) -> Bool? {
    let items: [URLParts.QueryItem]
    switch body.form {
    case .value(let value): items = value
    case .empty: items = []
    case .malformed, .unknown: return nil
    }
    guard let report else { return verdict(items, scope) }
    if let reason = body.reasonAgainstForm {
      let verdict = verdict(items, scope)
      if verdict != true { report.add(Mismatch.Part(.body), pattern.phrase, reason) }
      return verdict
    }
    return explain(items, scope, report)
  }

  private func verdict(_ items: [URLParts.QueryItem], _ scope: MatchScope) -> Bool? {
    let isAllowed: Bool? = if let names { names.allow(items, scope) } else { true }
    guard isAllowed != false else { return false }
    let verdict = Verdict.all(fields) {
      $0.value.matches(Self.values(of: $0.name, in: items), scope)
    }
    return Verdict.all([isAllowed, verdict]) { $0 }
  }

  private func explain(
    _ items: [URLParts.QueryItem], _ scope: MatchScope, _ report: BodyReport
  ) -> Bool? {
    var total = 0.0
    let verdicts = fields.map { field in
      let found = Self.values(of: field.name, in: items)
      let verdict = field.value.matches(found, scope)
      guard verdict != true else { return verdict }
      total += field.value.distance(found.values, scope)
      let expected = field.shownPattern.phrase
      let actual = ReportPhrase.actual(found.values, of: field.name)
      report.add(
        Mismatch.Part(.form, field.name), expected, ReportPhrase.notEqual(actual, expected))
      return verdict
    }
    var isAllowed: Bool? = true
    if let names {
      let others = names.others(in: items, as: .form, what: "form", scope)
      for mismatch in others?.mismatches ?? [] { report.add(mismatch) }
      let count = others?.count ?? 1
      total += Double(count)
      report.distance = min(1, total / Double(max(1, fields.count + count)))
      isAllowed = others.map { $0.count == 0 }
    } else {
      report.distance = min(1, total / Double(max(1, fields.count)))
    }
    return Verdict.all(verdicts + [isAllowed]) { $0 }
  }

  /// The values that a form has for a name.
  static func values(of name: String, in items: [URLParts.QueryItem]) -> FieldValues {
    FieldValues(items.compactMap { ByteText.isEqual($0.name, name) ? $0.value : nil })
  }

  var facets: [StubFacet] {
    fields.filter { $0.value.literal != nil }.map { .form($0.name) }
  }

  func key(for facet: StubFacet) -> String? {
    guard case .form(let name) = facet else { return nil }
    return fields.first { ByteText.isEqual($0.name, name) }?.value.literal
  }
}

extension PreparedBody {
  /// Why a content is no form, as a report says it; nil for any that may be one.
  ///
  /// Multipart content read as a form would have names and values from anywhere in it.
  fileprivate var reasonAgainstForm: String? {
    guard case .value(let text) = text, text.hasPrefix("--"),
      text.lowercased().contains("content-disposition:")
    else { return nil }
    return "multipart, not a form: \(TextExcerpt.quoted(text))"
  }
}
