extension TemplateHelperCall {
  /// More elements than a range needs.
  private static let longestRange = 100_000

  /// The functions that look into values and make lists and objects; nil for others.
  func structure(_ environment: any TemplateEnvironment) throws(Failure) -> TemplateValue? {
    switch name {
    case "size": return .integer(size)
    case "jsonPath": return selected(environment)
    case "array": return .list(arguments)
    case "range": return .list(try range())
    case "lookup": return arguments[0][text(1)] ?? .null
    case "merge": return .object(try merged())
    default: return nil
    }
  }

  private var size: Int {
    switch arguments[0] {
    case .null: 0
    case .list(let elements): elements.count
    case .object(let members): members.count
    default: text(0).count
    }
  }

  /// One selected value as it is, several as a list, null for none.
  private func selected(_ environment: any TemplateEnvironment) -> TemplateValue {
    guard let values = environment.select(text(1), in: arguments[0]) else { return .null }
    return values.count > 1 ? .list(values) : values.first ?? .null
  }

  /// The whole numbers from one to another, both included; down where the second is less.
  private func range() throws(Failure) -> [TemplateValue] {
    let (first, last) = (try integer(0), try integer(1))
    let (distance, overflows) = last.subtractingReportingOverflow(first)
    guard !overflows, distance.magnitude < UInt(Self.longestRange) else {
      throw Failure(message: "a range has at most \(Self.longestRange) numbers")
    }
    return stride(from: first, through: last, by: distance < 0 ? -1 : 1).map(TemplateValue.integer)
  }

  /// The members of all objects, later ones in place of earlier ones, then the arguments with names.
  private func merged() throws(Failure) -> [String: TemplateValue] {
    var result: [String: TemplateValue] = [:]
    for argument in arguments where argument != .null {
      guard case .object(let members) = argument else {
        throw Failure(message: "\(shown(argument)) is not an object")
      }
      result.merge(members) { $1 }
    }
    return result.merging(options) { $1 }
  }
}
