import Foundation
import StubDBModel

/// An operator of a body that the engine carries out; every operator in the model's table is one.
protocol CompilableBody: BodyOperator {
  /// Makes it ready to be applied.
  func compiled(_ compiler: inout PatternCompiler) throws(CompileError) -> any CompiledBody
}

extension PatternCompiler {
  /// Compiles a body pattern.
  mutating func body(_ pattern: BodyPattern) throws(CompileError) -> any CompiledBody {
    switch pattern.storage {
    case .value(let value): return BodyText(value, try self.value(value, isInObject: true))
    case .and(let patterns):
      return BodyCombination(kind: .all, inner: try bodies(patterns, in: "and"))
    case .or(let patterns):
      return BodyCombination(kind: .any, inner: try bodies(patterns, in: "or"))
    case .not(let pattern):
      return BodyNegation(
        inner: try placed("not") { (compiler) throws(CompileError) in
          try compiler.body(pattern)
        })
    case .operation(let operation):
      guard let known = operation.base as? any CompilableBody else {
        throw CompileError(
          code: .invalidPattern,
          reason: "\(type(of: operation.base).name) is an operator that cannot be played")
      }
      return try known.compiled(&self)
    }
  }

  private mutating func bodies(
    _ patterns: [BodyPattern], in key: String
  ) throws(CompileError) -> [any CompiledBody] {
    try placed(key) { (compiler) throws(CompileError) in
      try compiler.list(patterns) { (compiler, pattern) throws(CompileError) in
        try compiler.body(pattern)
      }
    }
  }

  /// Compiles the patterns under a key: a single pattern, or a list.
  mutating func bodyList(
    _ patterns: [BodyPattern], under key: String = "body"
  ) throws(CompileError) -> [any CompiledBody] {
    try placed(key) { (compiler) throws(CompileError) in
      guard patterns.count != 1 else { return [try compiler.body(patterns[0])] }
      return try compiler.list(patterns) { (compiler, pattern) throws(CompileError) in
        try compiler.body(pattern)
      }
    }
  }
}

/// A value operator on the content as UTF-8 text.
struct BodyText: CompiledBody {
  let pattern: BodyPattern
  let value: any CompiledValue

  init(_ pattern: ValuePattern, _ value: any CompiledValue) {
    self.pattern = .value(pattern)
    self.value = value
  }

  var form: PreparedBody.FormKind { .text }
  var asksForCaptured: Bool { value.asksForCaptured }

  func compare(_ body: PreparedBody, _ scope: MatchScope, _ report: BodyReport?) -> Bool? {
    switch body.text {
    case .value(let text):
      let verdict = value.matches(text, scope)
      if let report, verdict != true { explain(text, scope, report) }
      return verdict
    case .empty: return value.matches(nil, scope)
    case .malformed: return value.unseen(isPresent: true)
    case .unknown: return value.unseen(isPresent: false)
    }
  }

  private func explain(_ text: String, _ scope: MatchScope, _ report: BodyReport) {
    report.distance = value.distance(text, scope)
    guard let expected = value.literal else { return }
    let texts = TextExcerpt.quoted(expected, text)
    report.add(Mismatch.Part(.body), texts.expected, texts.actual)
  }

  var facets: [StubFacet] { value.literal == nil ? [] : [.text] }

  func key(for facet: StubFacet) -> String? { facet == .text ? value.literal : nil }
}

extension BinaryOperator: CompilableBody {
  func compiled(_ compiler: inout PatternCompiler) throws(CompileError) -> any CompiledBody {
    BinaryEqualTo(bytes: bytes)
  }
}

/// `binaryEqualTo`: the bytes as they came, or without their codings.
private struct BinaryEqualTo: CompiledBody {
  let bytes: Data

  var pattern: BodyPattern { .binaryEqualTo(bytes) }
  var form: PreparedBody.FormKind { .bytes }

  func compare(_ body: PreparedBody, _ scope: MatchScope, _ report: BodyReport?) -> Bool? {
    guard case .bytes(let raw) = body.content.kind else { return nil }
    if raw == bytes { return true }
    return switch body.bytes {
    case .value(let decoded): decoded == bytes
    case .empty: bytes.isEmpty
    case .malformed: false
    case .unknown: nil
    }
  }
}

/// The operators `and` and `or`.
private struct BodyCombination: CompiledBody {
  let kind: Combination.Kind
  let inner: [any CompiledBody]

  var pattern: BodyPattern {
    kind == .all ? .and(inner.map(\.pattern)) : .or(inner.map(\.pattern))
  }
  var asksForCaptured: Bool { inner.contains(where: \.asksForCaptured) }

  func compare(_ body: PreparedBody, _ scope: MatchScope, _ report: BodyReport?) -> Bool? {
    let verdict = kind.verdict(of: inner) { $0.verdict(body, scope) }
    if let report, verdict != true, kind == .any {
      report.distance = inner.map { $0.distance(body, scope) }.min() ?? 1
    }
    return verdict
  }

  var facets: [StubFacet] { kind == .all ? inner.flatMap(\.facets) : [] }

  func key(for facet: StubFacet) -> String? {
    kind == .all ? inner.lazy.compactMap { $0.key(for: facet) }.first : nil
  }
}

/// The operator `not`.
private struct BodyNegation: CompiledBody {
  let inner: any CompiledBody

  var pattern: BodyPattern { .not(inner.pattern) }
  var asksForCaptured: Bool { inner.asksForCaptured }

  func compare(_ body: PreparedBody, _ scope: MatchScope, _ report: BodyReport?) -> Bool? {
    inner.verdict(body, scope).map { !$0 }
  }
}

extension [any CompiledBody] {
  /// The patterns with those inside `and` in its place.
  var flattened: [any CompiledBody] {
    flatMap { body in
      guard let combined = body as? BodyCombination, combined.kind == .all else { return [body] }
      return combined.inner.flattened
    }
  }
}
