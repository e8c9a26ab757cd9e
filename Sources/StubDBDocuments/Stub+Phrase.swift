package import StubDBModel
internal import StubDBSupport

extension Stub {
  /// What follows the responses; nil if the only one is repeated.
  package var endPhrase: String? {
    let isSequence = responses.count > 1 || responses.contains { $0.repeatCount > 1 }
    return switch then.kind {
    case .repeatLast: isSequence ? "then repeats the last response" : nil
    case .cycle: isSequence ? "then begins again with the first" : nil
    case .fail: "then nothing: the request counts as unmatched"
    case .next: "then the next stub that matches answers"
    case .passthrough: "then the real network answers"
    }
  }
}

extension Capture {
  /// What is kept under which name.
  package func phrase(_ style: PhraseStyle) -> String {
    let (shown, text) = (style.quoted(name), source.text.string)
    return switch source.kind {
    case .jsonPath: "keeps what \(style.plain(text)) selects as \(shown)"
    case .pathParameter: "keeps path parameter \(style.plain(text)) as \(shown)"
    case .query, .header, .cookie: "keeps \(source.kind) \(style.plain(text)) as \(shown)"
    case .template: "keeps \(style.quoted(text)) as \(shown)"
    case .nothing: "forgets \(shown)"
    }
  }
}

extension FlowStep {
  /// In which state of which flow the stub answers, and which comes next.
  package func phrase(_ style: PhraseStyle) -> String {
    let required = requires.map { " is in state \(style.quoted($0))" } ?? ""
    let next = becomes.map { ", becomes \(style.quoted($0))" } ?? ""
    return "flow \(style.plain(name))\(required)\(next)"
  }
}
