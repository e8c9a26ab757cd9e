import StubDBModel
import StubDBXML

extension BodyDifference {
  mutating func compare(_ pattern: XMLPattern) {
    guard case .value(let actual) = body.xml,
      let comparison = matching.xml(body).comparison(pattern, actual)
    else { return }
    guard !comparison.isExhausted else {
      add("body", BodyPattern.equalToXML(pattern).phrase, "(too many elements to compare)")
      saysWhy = true
      return
    }
    let size = matching.values.operands.documents[pattern.document]?.nodes.count ?? 1
    distance = min(1, Double(comparison.count) / Double(max(1, size - 1)))
    for difference in comparison.differences {
      let name = SensitiveName.isNamed(in: difference.path) ? "secret" : ""
      let texts = [difference.expected, difference.actual].map { text in
        text.map { TextExcerpt.plain(SecretDisplay.value($0, of: name)) } ?? "absent"
      }
      add(
        "body \(TextExcerpt.plain(difference.path))", texts[0],
        Phrase.notEqual(texts[1], texts[0]))
    }
    let rest = comparison.count - comparison.differences.count
    guard rest > 0 else { return }
    add("body", "(\(rest) more \(rest == 1 ? "place" : "places"))", "(also different)")
  }

  mutating func compare(_ pattern: XPathPattern) {
    let key = CompiledOperands.XPathOperand(pattern)
    guard let path = matching.values.operands.xPaths[key] else { return }
    let phrase = BodyPattern.matchesXPath(pattern).phrase
    switch body.selection(of: path, key) {
    case .value(let selection) where selection.texts.isEmpty: add("body", phrase, "selects nothing")
    case .value(let selection):
      if let value = pattern.value { distance = distances.between(selection.texts, value) }
      let name = SensitiveName.isNamed(in: pattern.expression) ? "secret" : ""
      let shown = selection.texts.prefix(3)
        .map { TextExcerpt.quoted(SecretDisplay.value($0, of: name)) }.joined(separator: ", ")
      let rest = selection.texts.count - 3
      add("body", phrase, "selects " + shown + (rest > 0 ? " and \(rest) more" : ""))
    case .unknown(let reason):
      add("body", phrase, reason)
      saysWhy = true
    case .empty, .malformed: break
    }
  }
}
