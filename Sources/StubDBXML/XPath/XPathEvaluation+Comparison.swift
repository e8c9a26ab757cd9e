extension XPathEvaluation {
  /// Compares two values; a node set satisfies a comparison if any of its nodes does.
  /// https://www.w3.org/TR/1999/REC-xpath-19991116/#booleans
  mutating func holds(
    _ left: XPathValue, _ comparison: XPathComparison, _ right: XPathValue
  ) -> Bool {
    switch (left, right) {
    case (.nodes, .bool), (.bool, .nodes):
      return compare(.bool(isTrue(left)), comparison, .bool(isTrue(right)))
    case (.nodes(let first), .nodes(let second)):
      let others = second.map { text(of: $0) }
      for node in first {
        let text = XPathValue.text(text(of: node))
        for other in others where take(1) && compare(text, comparison, .text(other)) { return true }
        if isExhausted { return false }
      }
      return false
    case (.nodes(let nodes), _):
      for node in nodes where compare(likened(node, right), comparison, right) { return true }
      return false
    case (_, .nodes(let nodes)):
      for node in nodes where compare(left, comparison, likened(node, left)) { return true }
      return false
    default: return compare(left, comparison, right)
    }
  }

  /// Converts the value of a node to the type of the other operand.
  private mutating func likened(_ node: Int, _ other: XPathValue) -> XPathValue {
    let text = text(of: node)
    if case .number = other { return .number(XPathNumber.number(text)) }
    return .text(text)
  }

  /// Compares values other than node sets, as Booleans, else as numbers, else as strings; `<` and `>` compare numbers.
  private mutating func compare(
    _ left: XPathValue, _ comparison: XPathComparison, _ right: XPathValue
  ) -> Bool {
    switch comparison {
    case .equal, .notEqual:
      let isEqual: Bool
      switch (left, right) {
      case (.bool, _), (_, .bool): isEqual = isTrue(left) == isTrue(right)
      case (.number, _), (_, .number): isEqual = number(left) == number(right)
      default: isEqual = text(left).utf8.elementsEqual(text(right).utf8)
      }
      return isEqual == (comparison == .equal)
    case .less: return number(left) < number(right)
    case .lessOrEqual: return number(left) <= number(right)
    case .greater: return number(left) > number(right)
    case .greaterOrEqual: return number(left) >= number(right)
    }
  }

  func isTrue(_ value: XPathValue) -> Bool {
    switch value {
    case .nodes(let places): !places.isEmpty
    case .text(let text): !text.isEmpty
    case .number(let number): number != 0 && !number.isNaN
    case .bool(let value): value
    }
  }

  mutating func number(_ value: XPathValue) -> Double {
    switch value {
    case .number(let number): number
    case .bool(let value): value ? 1 : 0
    default: XPathNumber.number(text(value))
    }
  }

  /// The value as a string; of a node set, the string value of the first node.
  mutating func text(_ value: XPathValue) -> String {
    switch value {
    case .nodes(let places): places.first.map { text(of: $0) } ?? ""
    case .text(let text): text
    case .number(let number): XPathNumber.text(number)
    case .bool(let value): value ? "true" : "false"
    }
  }
}

/// A value. https://www.w3.org/TR/1999/REC-xpath-19991116/#section-Introduction
enum XPathValue {
  /// The indices of nodes in document order.
  case nodes([Int])
  case text(String)
  case number(Double)
  case bool(Bool)
}

/// The context of an evaluation.
struct XPathContext {
  var node: Int
  var position = 1
  var size = 1
}

/// Conversions between strings and numbers. https://www.w3.org/TR/1999/REC-xpath-19991116/#section-String-Functions
enum XPathNumber {
  /// The shortest decimal number that reads back as this one, without an exponent; `-0` is `0`.
  static func text(_ number: Double) -> String {
    if number.isNaN { return "NaN" }
    if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
    if number == number.rounded(), abs(number) < 1e15 { return String(Int(number)) }
    // Swift prints the shortest digits, but with an exponent for large and small numbers, such as 1.5e+16 and 1e-05.
    let pieces = "\(abs(number))".split(separator: "e")
    let mantissa = pieces[0].split(separator: ".")
    let fraction = mantissa.count > 1 && mantissa[1] != "0" ? String(mantissa[1]) : ""
    let digits = mantissa[0] + fraction
    let point = mantissa[0].count + (pieces.count > 1 ? Int(pieces[1]) ?? 0 : 0)
    let sign = number < 0 ? "-" : ""
    if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
    guard point < digits.count else {
      return sign + digits + String(repeating: "0", count: point - digits.count)
    }
    return sign + digits.prefix(point) + "." + digits.dropFirst(point)
  }

  /// The nearest integer, the greater one of two that are equally near; between -0.5 and 0 it is negative zero.
  static func rounded(_ number: Double) -> Double {
    let floor = number.rounded(.down)
    let nearest = number - floor >= 0.5 ? floor + 1 : floor
    return Double(signOf: number, magnitudeOf: nearest)
  }

  static func number(_ text: String) -> Double {
    var scalars = Array(text.unicodeScalars)[...]
    while let last = scalars.last, isSpace(last) { scalars.removeLast() }
    while let first = scalars.first, isSpace(first) { scalars.removeFirst() }
    let digits = scalars.first == "-" ? scalars.dropFirst() : scalars
    let points = digits.count { $0 == "." }
    guard digits.count > points, points <= 1,
      digits.allSatisfy({ $0 == "." || ("0"..."9").contains($0) })
    else { return .nan }
    let whole = String(String.UnicodeScalarView(digits))
    let magnitude =
      Double("0" + (whole.hasSuffix(".") ? whole + "0" : whole)) ?? .infinity
    return scalars.first == "-" ? -magnitude : magnitude
  }

  static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r"
  }
}
