/// What an expression comes to. https://www.w3.org/TR/1999/REC-xpath-19991116/#section-Introduction
enum XPathValue {
  /// Places in the order of the document.
  case nodes([Int])
  case text(String)
  case number(Double)
  case bool(Bool)
}

/// Where an expression is evaluated.
struct XPathContext {
  var node: Int
  var position = 1
  var size = 1
}

/// Conversions between texts and numbers. https://www.w3.org/TR/1999/REC-xpath-19991116/#section-String-Functions
enum XPathNumber {
  static func text(_ number: Double) -> String {
    if number.isNaN { return "NaN" }
    if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
    if number == number.rounded(), abs(number) < 1e15 { return String(Int(number)) }
    return "\(number)"
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
