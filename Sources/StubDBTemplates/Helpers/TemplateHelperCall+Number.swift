extension TemplateHelperCall {
  /// The functions that calculate; nil for others.
  func number() throws(Failure) -> TemplateValue? {
    guard name == "math" else { return nil }
    let operation = text(1)
    guard ["+", "-", "*", "/", "%"].contains(operation) else {
      throw Failure(message: "\(shown(arguments[1])) is not one of '+', '-', '*', '/' and '%'")
    }
    if let left = arguments[0].integerValue, let right = arguments[2].integerValue,
      let value = Self.calculate(left, operation, right)
    {
      return .integer(value)
    }
    guard let left = arguments[0].numericValue, let right = arguments[2].numericValue else {
      let odd = arguments[0].numericValue == nil ? arguments[0] : arguments[2]
      throw Failure(message: "\(shown(odd)) is not a number")
    }
    let value = Self.calculate(left, operation, right)
    guard value.isFinite else {
      throw Failure(
        message: "\(shown(arguments[0])) \(operation) \(shown(arguments[2])) has no value")
    }
    return .decimal(value)
  }

  /// Nil where the result is no whole number that can be held.
  private static func calculate(_ left: Int, _ operation: String, _ right: Int) -> Int? {
    let (value, overflows) =
      switch operation {
      case "+": left.addingReportingOverflow(right)
      case "-": left.subtractingReportingOverflow(right)
      case "*": left.multipliedReportingOverflow(by: right)
      case "%": left.remainderReportingOverflow(dividingBy: right)
      default: left.dividedReportingOverflow(by: right)
      }
    if overflows { return nil }
    if operation == "/" && value.multipliedReportingOverflow(by: right).partialValue != left {
      return nil
    }
    return value
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
