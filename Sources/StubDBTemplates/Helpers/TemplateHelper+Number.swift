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
      throw Failure(message: "\(shown(odd)) is not a number")
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
    var (left, right, result, back) = (left, right, Decimal(), Decimal())
    func isExact(_ error: Decimal.CalculationError) -> Bool { error == .noError }
    switch operation {
    case "+": return isExact(NSDecimalAdd(&result, &left, &right, .plain)) ? result : nil
    case "-": return isExact(NSDecimalSubtract(&result, &left, &right, .plain)) ? result : nil
    case "*": return isExact(NSDecimalMultiply(&result, &left, &right, .plain)) ? result : nil
    default: break
    }
    guard right != 0 else { return nil }
    let error = NSDecimalDivide(&result, &left, &right, .plain)
    guard isExact(error) || error == .lossOfPrecision else { return nil }
    if operation == "/" {
      return isExact(error) && isExact(NSDecimalMultiply(&back, &result, &right, .plain))
        && back == left ? result : nil
    }
    var whole = Decimal()
    NSDecimalRound(&whole, &result, 0, result < 0 ? .up : .down)
    guard isExact(NSDecimalMultiply(&back, &whole, &right, .plain)),
      isExact(NSDecimalSubtract(&result, &left, &back, .plain))
    else { return nil }
    return result.magnitude < right.magnitude ? result : nil
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
  /// The number as decimal digits, or the number that the text represents; nil for other values and for more than 38
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
