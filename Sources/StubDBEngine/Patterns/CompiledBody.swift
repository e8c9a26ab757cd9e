import Foundation
import StubDBJSON
import StubDBModel
import StubDBSupport

/// A body pattern that is ready to be applied, together with all that its operator means for the engine.
///
/// Deciding and explaining are one walk: ``compare(_:_:_:)`` says whether the content satisfies the pattern, and adds the
/// differences to a report if it is given one. As with values, the verdict is nil if it is unknown: of content that cannot
/// be read, or is not text, only what is true of every content is true.
protocol CompiledBody: Sendable {
  /// The pattern as the document has it.
  var pattern: BodyPattern { get }

  /// The form of the content that the pattern looks at.
  var form: PreparedBody.FormKind { get }

  /// Whether the content satisfies the pattern; differences are added to the report, if there is one.
  func compare(_ body: PreparedBody, _ scope: MatchScope, _ report: BodyReport?) -> Bool?

  /// The parts of a content for which the pattern requires a certain value.
  var facets: [StubFacet] { get }

  /// The value that the pattern requires of a part of a content; nil if it requires no certain value.
  func key(for facet: StubFacet) -> String?

  /// Whether the pattern compares with values that the run keeps.
  var asksForCaptured: Bool { get }
}

extension CompiledBody {
  var form: PreparedBody.FormKind { .any }
  var facets: [StubFacet] { [] }
  var asksForCaptured: Bool { false }

  func key(for facet: StubFacet) -> String? { nil }

  /// Whether the content satisfies the pattern; the report, if there is one, holds a mismatch unless it does.
  func verdict(
    _ body: PreparedBody, _ scope: MatchScope, _ report: BodyReport? = nil
  ) -> Bool? {
    body.context.going(deep: body.isDeep(in: form)) {
      let verdict = compare(body, scope, report)
      if let report, verdict != true, report.mismatches.isEmpty {
        report.add(Mismatch.Part(.body), pattern.phrase, body.text(in: form))
      }
      return verdict
    }
  }

  /// How far the content is from satisfying the pattern, from 0 to 1.
  func distance(_ body: PreparedBody, _ scope: MatchScope) -> Double {
    let report = BodyReport()
    return verdict(body, scope, report) == true ? 0 : report.distance
  }
}

/// How the content of a request differs from a body pattern that it does not satisfy.
///
/// Belongs to the one call that made it.
final class BodyReport {
  /// From 0 to 1.
  var distance = 1.0
  /// Whether the mismatches say why the verdict is unknown.
  var saysWhy = false
  private(set) var mismatches: [Mismatch] = []

  func add(_ mismatch: Mismatch) {
    mismatches.append(mismatch)
  }

  func add(_ part: Mismatch.Part, _ expected: String, _ actual: String) {
    add(Mismatch(part: part, expected: expected, actual: actual))
  }

  /// Adds places in JSON, those beyond the listed ones as a number.
  func add(_ differences: JSONDifferences, at place: [String] = []) {
    for difference in differences.listed {
      add(
        Mismatch(
          part: Mismatch.Part(.body), pointer: JSONPointer(place + difference.pointer.tokens),
          expected: difference.expected, actual: difference.actual))
    }
    addRest(differences.count - differences.listed.count)
  }

  /// Adds the number of places that are not listed.
  func addRest(_ count: Int) {
    guard count > 0 else { return }
    add(.rest(count, of: Mismatch.Part(.body)))
  }

  /// Adds what a query selects instead of the expected value.
  func addSelection(_ texts: [String], by query: String, _ phrase: String) {
    let name = SensitiveName.isNamed(in: query) ? "secret" : ""
    let shown = texts.lazy.map { TextExcerpt.quoted(SecretDisplay.value($0, of: name)) }
    add(Mismatch.Part(.body), phrase, "selects " + shown.listed(upTo: 3))
  }

  /// Adds why the verdict is unknown.
  func addReason(_ reason: String, _ phrase: String) {
    add(Mismatch.Part(.body), phrase, reason)
    saysWhy = true
  }

  /// Says at the first mismatch that telling took too long.
  func noteTimeout() {
    guard !saysWhy, !mismatches.isEmpty else { return }
    mismatches[0].actual += " (too long or too slow to compare)"
  }
}

extension PreparedBody.Form {
  /// What a test says of a content that has the form; a content without it fails, one that is not seen is undecided.
  func decided(_ test: (Value) -> Bool?) -> Bool? {
    switch self {
    case .value(let value): test(value)
    case .empty, .malformed: false
    case .unknown: nil
    }
  }
}

extension PreparedBody {
  /// The content as a report shows it beside a pattern that looks at one form of it.
  func text(in form: FormKind) -> String {
    switch (bytes, text) {
    case (.unknown(let reason), _): return "not visible: \(reason)"
    case (.value(let data), .malformed(let reason)):
      return "\(reason): \(Self.shown(data, as: String(decoding: data, as: UTF8.self)))"
    case (.value(let data), .value(let text)):
      let problem: String? =
        switch form {
        case .bytes: Self.shown(data, as: text)
        case .xml: xml.problem.map { "\($0); the body is \(TextExcerpt.quoted(text))" }
        case .json, .graphQL: json.problem.map { "\($0); the body is \(TextExcerpt.quoted(text))" }
        default: nil
        }
      return problem ?? TextExcerpt.quoted(text)
    default:
      return form == .graphQL ? graphQL.problem ?? "no body" : "no body"
    }
  }

  /// The bytes as a report shows them: only their number if the text in them holds a secret.
  private static func shown(_ data: Data, as text: String) -> String {
    "\(data.count) bytes "
      + (SecretDisplay.text(text) == text ? data.hexadecimalExcerpt : "with a secret in them")
  }
}

extension PreparedBody.Form {
  fileprivate var problem: String? {
    if case .malformed(let reason) = self { reason } else { nil }
  }
}
