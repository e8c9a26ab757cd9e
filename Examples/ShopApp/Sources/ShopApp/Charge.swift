/// Money that was taken from a card.
public struct Charge: Codable, Equatable, Sendable {
  /// The identity at the server.
  public var id: String

  /// Makes a charge.
  public init(id: String) {
    self.id = id
  }
}
