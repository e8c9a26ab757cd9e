/// A customer of the shop.
public struct Customer: Codable, Equatable, Sendable {
  /// The identity at the server.
  public var id: String
  /// The name to greet with.
  public var name: String

  /// Makes a customer.
  public init(id: String, name: String) {
    self.id = id
    self.name = name
  }
}
