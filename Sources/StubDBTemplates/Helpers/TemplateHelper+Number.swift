import Foundation

extension TemplateHelper {
  /// The functions that calculate.
  static let numbers: [TemplateHelper] = [
    TemplateHelper("math", 3...3) { (call, _) throws(Failure) in try call.calculated() }
  ]
}

extension TemplateHelperCall {
  fileprivate func calculated() throws(Failure) -> TemplateValue {
    let operation = text(1)
    guard ["+", "-", "*", "/", "%"].contains(operation) else {
      throw Failure(message: "\(shown(arguments[1])) is not one of '+', '-', '*', '/' and '%'")
    }
    guard let left = arguments[0].numericValue, let right = arguments[2].numericValue else {
      let odd = arguments[0].numericValue == nil ? arguments[0] : arguments[2]
      throw Failure(message: "\(shown(odd)) is \(odd.isTooLarge ? "too large" : "not a number")")
    }
    if let left = arguments[0].decimalValue, let right = arguments[2].decimalValue,
      let value = Self.exact(left, operation, right)
    {
      return .number("\(value)")
    }
    let value = Self.calculate(left, operation, right)
    guard value.isFinite else {
      throw Failure(
        message: "\(shown(arguments[0])) \(operation) \(shown(arguments[2])) has no value")
    }
    return .decimal(value)
  }

  /// Calculates in decimal, so that 0.25 plus 0.34 is 0.59; nil if 38 digits do not suffice.
  private static func exact(_ left: Decimal, _ operation: String, _ right: Decimal) -> Decimal? {
    switch operation {
    case "+": return sum(left, right)
    case "-": return sum(left, -right)
    case "*": return product(left, right)
    default: break
    }
    guard right != 0 else { return nil }
    var (dividend, divisor, quotient, whole) = (left, right, Decimal(), Decimal())
    let error = NSDecimalDivide(&quotient, &dividend, &divisor, .plain)
    guard error == .noError || error == .lossOfPrecision else { return nil }
    if operation == "/" {
      return error == .noError && product(quotient, right) == left ? quotient : nil
    }
    NSDecimalRound(&whole, &quotient, 0, quotient < 0 ? .up : .down)
    guard let back = product(whole, right), let rest = sum(left, -back) else { return nil }
    return rest.magnitude < right.magnitude ? rest : nil
  }

  /// The most digits that a `Decimal` always has room for; it cuts others without an error on some platforms.
  private static let mostDigits = 38

  private static func sum(_ left: Decimal, _ right: Decimal) -> Decimal? {
    if let first = digits(of: left), let second = digits(of: right) {
      let last = min(first.lowerBound, second.lowerBound)
      let length = max(first.upperBound, second.upperBound) + 1 - last
      guard length <= mostDigits else { return nil }
    }
    var (left, right, result) = (left, right, Decimal())
    return NSDecimalAdd(&result, &left, &right, .plain) == .noError ? result : nil
  }

  private static func product(_ left: Decimal, _ right: Decimal) -> Decimal? {
    if let first = digits(of: left), let second = digits(of: right) {
      guard first.count + second.count <= mostDigits else { return nil }
    }
    var (left, right, result) = (left, right, Decimal())
    return NSDecimalMultiply(&result, &left, &right, .plain) == .noError ? result : nil
  }

  /// The powers of ten from the last digit of a number that is not 0 to its first; nil for zero.
  private static func digits(of value: Decimal) -> Range<Int>? {
    let parts = "\(value.magnitude)".utf8.split(separator: UInt8(ascii: "."))
    guard let whole = parts.first else { return nil }
    let fraction = parts.count > 1 ? Array(parts[1]) : []
    let all = Array(whole) + fraction
    guard let first = all.firstIndex(where: { $0 != UInt8(ascii: "0") }),
      let last = all.lastIndex(where: { $0 != UInt8(ascii: "0") })
    else { return nil }
    return (whole.count - last - 1)..<(whole.count - first)
  }

  private static func calculate(_ left: Double, _ operation: String, _ right: Double) -> Double {
    switch operation {
    case "+": left + right
    case "-": left - right
    case "*": left * right
    case "%": left.truncatingRemainder(dividingBy: right)
    default: left / right
    }
  }
}

extension TemplateValue {
  /// Whether it is a number in digits that exceeds the range of numbers.
  fileprivate var isTooLarge: Bool {
    switch self {
    case .number(let text), .text(let text):
      // Without the digits it would be the word "inf".
      Double(text)?.isInfinite == true && text.utf8.contains { (0x30...0x39).contains($0) }
    default: false
    }
  }

  /// The number as decimal digits, or the number that the text represents; nil for other values and for more than 36
  /// digits.
  var decimalValue: Decimal? {
    switch self {
    case .number(let text), .text(let text):
      let digits = text.utf8.count { (0x30...0x39).contains($0) }
      guard (1...36).contains(digits), text.utf8.count <= 40, numericValue != nil,
        text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) })
      else { return nil }
      return Decimal(string: text).flatMap { $0.isNaN ? nil : $0 }
    default: return nil
    }
  }
}
