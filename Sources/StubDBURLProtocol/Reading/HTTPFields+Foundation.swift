import Foundation
import HTTPTypes

extension HTTPFields {
  /// More fields than any client sends or server accepts, and fewer than `HTTPFields` can contain: more than 65,534
  /// stop the process.
  static let maximumCount = 1_000

  /// The header fields of a Foundation request; nil if there are more than ``maximumCount``.
  ///
  /// Foundation accepts names that HTTP does not allow; such fields are dropped.
  init?(requestFields fields: [String: String]) {
    guard fields.count <= Self.maximumCount else { return nil }
    self.init()
    for (name, value) in fields {
      if let name = HTTPField.Name(name) { append(HTTPField(name: name, value: value)) }
    }
  }

  /// The header fields of a Foundation response; nil if there are more than ``maximumCount``.
  ///
  /// Foundation accepts names that HTTP does not allow; such fields are dropped.
  init?(foundationFields fields: [AnyHashable: Any]) {
    guard fields.count <= Self.maximumCount else { return nil }
    self.init()
    for (name, value) in fields {
      guard let name = name as? String, let value = value as? String,
        let field = HTTPField.Name(name)
      else { continue }
      append(HTTPField(name: field, value: value))
    }
  }
}
