extension XPathEvaluation {
  /// Calls a function. https://www.w3.org/TR/1999/REC-xpath-19991116/#corelib
  mutating func value(
    of function: XPathFunction, _ arguments: [XPathExpression], at context: XPathContext
  ) -> XPathValue {
    switch function {
    case .last: return .number(Double(context.size))
    case .position: return .number(Double(context.position))
    case .isTrue: return .bool(true)
    case .isFalse: return .bool(false)
    default: break
    }
    let values = arguments.map { value(of: $0, at: context) }
    let first = values.first ?? .nodes([context.node])
    switch function {
    case .count: return .number(Double(nodes(first).count))
    case .sum:
      return .number(nodes(first).map { XPathNumber.number(text(of: $0)) }.reduce(0, +))
    case .name: return .text(name(of: first)?.qualified ?? "")
    case .localName: return .text(name(of: first)?.local ?? "")
    case .namespaceURI: return .text(name(of: first)?.namespace ?? "")
    case .boolean: return .bool(isTrue(first))
    case .not: return .bool(!isTrue(first))
    case .number: return .number(number(first))
    case .floor: return .number(number(first).rounded(.down))
    case .ceiling: return .number(number(first).rounded(.up))
    case .round: return .number(XPathNumber.rounded(number(first)))
    case .substring:
      return .text(
        substring(text(first), number(values[1]), values.count > 2 ? number(values[2]) : nil))
    default: return value(of: function, values.isEmpty ? [text(first)] : values.map { text($0) })
    }
  }

  private func name(of value: XPathValue) -> XMLName? {
    nodes(value).first.map { tree.nodes[$0].name }
  }

  /// The string functions.
  private mutating func value(of function: XPathFunction, _ texts: [String]) -> XPathValue {
    switch function {
    case .concat: return .text(texts.joined())
    case .startsWith: return .bool(texts[0].utf8.starts(with: texts[1].utf8))
    case .contains: return .bool(Self.range(of: texts[1], in: texts[0]) != nil)
    case .substringBefore:
      return .text(
        Self.range(of: texts[1], in: texts[0]).map { String(texts[0][..<$0.lowerBound]) } ?? "")
    case .substringAfter:
      return .text(
        Self.range(of: texts[1], in: texts[0]).map { String(texts[0][$0.upperBound...]) } ?? "")
    case .stringLength: return .number(Double(texts[0].unicodeScalars.count))
    case .normalizeSpace:
      let words = texts[0].unicodeScalars.split(whereSeparator: XPathNumber.isSpace)
      return .text(words.map { String($0) }.joined(separator: " "))
    case .translate: return .text(Self.translated(texts[0], texts[1], texts[2]))
    default: return .text(texts[0])
    }
  }

  /// The index of one text in another, in scalars.
  private static func range(of part: String, in text: String) -> Range<String.Index>? {
    if part.isEmpty { return text.startIndex..<text.startIndex }
    return text.unicodeScalars.firstRange(of: part.unicodeScalars)
  }

  private static func translated(_ text: String, _ from: String, _ to: String) -> String {
    let targets = Array(to.unicodeScalars)
    var table: [Unicode.Scalar: Unicode.Scalar?] = [:]
    for (index, scalar) in from.unicodeScalars.enumerated() where table[scalar] == nil {
      table[scalar] = .some(index < targets.count ? targets[index] : nil)
    }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let target = table[scalar, default: scalar] { result.append(target) }
    }
    return String(result)
  }

  /// The characters from a position, counted from 1 and rounded as XPath requires.
  private func substring(_ text: String, _ start: Double, _ length: Double?) -> String {
    let start = XPathNumber.rounded(start)
    let end = length.map { start + XPathNumber.rounded($0) } ?? .infinity
    var result = String.UnicodeScalarView()
    for (index, scalar) in text.unicodeScalars.enumerated()
    where Double(index + 1) >= start && Double(index + 1) < end {
      result.append(scalar)
    }
    return String(result)
  }
}
