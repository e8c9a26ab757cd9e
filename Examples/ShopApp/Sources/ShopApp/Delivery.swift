import Foundation

/// A parcel on its way.
public struct Delivery: Codable, Equatable, Sendable {
  /// The identity at the server.
  public var id: String
  /// When it arrives.
  public var due: Date

  /// Makes a delivery.
  public init(id: String, due: Date) {
    (self.id, self.due) = (id, due)
  }
}
