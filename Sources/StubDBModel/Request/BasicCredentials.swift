/// The user name and password of HTTP basic authentication.
///
/// https://www.rfc-editor.org/rfc/rfc7617
public struct BasicCredentials: Hashable, Sendable {
  /// The user name, without colons.
  public var username: String
  /// The password; may be empty.
  public var password: String

  /// Makes credentials.
  public init(username: String, password: String) {
    self.username = username
    self.password = password
  }
}
