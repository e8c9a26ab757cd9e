import StubDBModel
import StubDBSupport

/// What a pattern requires of one part of a request, ready to be compared.
///
/// The same type decides whether a part differs and explains how, so that the two cannot disagree.
protocol CompiledPart: Sendable {
  /// The entry of the model's table that it belongs to.
  var part: RequestPart { get }

  /// Whether it compares with values that the run keeps.
  var asksForCaptured: Bool { get }

  /// Whether the request satisfies it; nil if that is unknown.
  ///
  /// If there is a report, a body adds its differences to it.
  func verdict(
    _ request: PreparedRequest, _ scope: MatchScope, _ report: BodyReport?
  ) -> Bool?

  /// How the request differs from the part; called only if the verdict is not true.
  func difference(
    _ request: PreparedRequest, _ scope: MatchScope, _ verdict: Bool?, _ report: BodyReport
  ) -> PartDifference

  /// The facets by whose value stubs with the part are indexed, besides host and method.
  var facets: [StubFacet] { get }

  /// The values that the part requires a facet to have; nil if it accepts other values too.
  func keys(for facet: StubFacet) -> [String]?

  /// A cheap estimate of how far the request is from the part; all parts together give at most 1,500.
  func guess(_ request: PreparedRequest) -> Int
}

/// How a part of a request differs from its pattern.
struct PartDifference {
  /// From 0 to 1.
  var distance = 1.0
  /// How much it counts; nil for as much as the part.
  var weight: Double?
  var mismatches: [Mismatch]
}

extension CompiledPart {
  var asksForCaptured: Bool { false }
  var facets: [StubFacet] { [] }

  func keys(for facet: StubFacet) -> [String]? { nil }

  func guess(_ request: PreparedRequest) -> Int { 0 }

  func difference(_ expected: String, _ actual: String) -> PartDifference {
    PartDifference(mismatches: [
      Mismatch(part: Mismatch.Part(of: part), expected: expected, actual: actual)
    ])
  }
}

/// A value pattern for a part that has one value or none.
protocol SingleValuePart: CompiledPart {
  /// The pattern, without a name.
  var named: CompiledNamed { get }

  func value(in request: PreparedRequest) -> String?
}

extension SingleValuePart {
  var asksForCaptured: Bool { named.value.asksForCaptured }

  func verdict(
    _ request: PreparedRequest, _ scope: MatchScope, _ report: BodyReport?
  ) -> Bool? {
    named.value.matches(value(in: request), scope)
  }

  func difference(
    _ request: PreparedRequest, _ scope: MatchScope, _ verdict: Bool?, _ report: BodyReport
  ) -> PartDifference {
    let values = FieldValues(value(in: request).map { [$0] } ?? [])
    return named.difference(Mismatch.Part(of: part), values, verdict, scope)
  }

  func keys(for facet: StubFacet) -> [String]? {
    facet == .part(part) ? named.value.literal.map { [$0] } : nil
  }
}

/// A value pattern for the values that a part has under a name.
protocol NamedValuesPart: CompiledPart {
  var named: CompiledNamed { get }
  /// The name under which values are indexed.
  var indexedName: String { get }
  /// The name that says whether values are secret.
  var secretName: String { get }

  func values(in request: PreparedRequest, _ scope: MatchScope) -> FieldValues
}

extension NamedValuesPart {
  var indexedName: String { named.name }
  var secretName: String { named.name }
  var asksForCaptured: Bool { named.value.asksForCaptured }
  var mismatchPart: Mismatch.Part { Mismatch.Part(of: part, named.name) }

  func verdict(
    _ request: PreparedRequest, _ scope: MatchScope, _ report: BodyReport?
  ) -> Bool? {
    named.value.matches(values(in: request, scope), scope)
  }

  func difference(
    _ request: PreparedRequest, _ scope: MatchScope, _ verdict: Bool?, _ report: BodyReport
  ) -> PartDifference {
    named.difference(mismatchPart, values(in: request, scope), of: secretName, verdict, scope)
  }

  var facets: [StubFacet] {
    named.value.literal == nil ? [] : [.part(part, named: indexedName)]
  }

  func keys(for facet: StubFacet) -> [String]? {
    guard case .part(part, let name) = facet, ByteText.isEqual(indexedName, name) else {
      return nil
    }
    return named.value.literal.map { [$0] }
  }
}

extension CompiledNamed {
  /// How the values of `name` differ from the pattern; values of sensitive names are masked.
  func difference(
    _ part: Mismatch.Part, _ values: FieldValues, of name: String? = nil, _ verdict: Bool?,
    _ scope: MatchScope
  ) -> PartDifference {
    let name = name ?? self.name
    let shown = pattern.hidingSecrets(of: name)
    var (expected, actual) = (shown.phrase, ReportPhrase.actual(values.values, of: name))
    if let text = value.literal, let first = values.values.first, values.values.count == 1 {
      // The pattern may ask for a placeholder where the request has the secret.
      if shown == pattern, !SecretDisplay.hides(name, value: first) {
        (expected, actual) = TextExcerpt.quoted(text, first)
      }
      let isSame =
        shown != pattern
        && ByteText.isEqual(
          String(SecretDisplay.withoutScheme(text)), String(SecretDisplay.withoutScheme(first)))
      actual =
        isSame ? actual + ", equal but for the scheme" : ReportPhrase.notEqual(actual, expected)
    }
    if verdict == nil { actual += " (too long or too slow for the regular expression)" }
    return PartDifference(
      distance: value.distance(values.values, scope),
      mismatches: [Mismatch(part: part, expected: expected, actual: actual)])
  }
}
