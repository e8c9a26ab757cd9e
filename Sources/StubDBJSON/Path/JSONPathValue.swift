/// A JSON value that a query can look into.
public protocol JSONPathValue {
  /// The value, one level deep.
  var jsonPathContent: JSONPathContent<Self> { get }
}

/// A JSON value, one level deep.
public enum JSONPathContent<Value> {
  /// The literal `null`.
  case null
  /// The literals `true` and `false`.
  case bool(Bool)
  /// A number, as the nearest double.
  case number(Double)
  /// A string.
  case string(String)
  /// The elements of an array.
  case array([Value])
  /// The members of an object.
  case object([String: Value])
}
