import Foundation

extension JSONValue {
  /// The value as a property-list object, for `userInfo`.
  package var foundationValue: Any {
    switch self {
    case .null: NSNull()
    case .bool(let value): value
    case .number(let number): number.integerValue ?? number.doubleValue
    case .string(let value): value
    case .array(let values): values.map(\.foundationValue)
    case .object(let members): members.mapValues(\.foundationValue)
    }
  }
}
