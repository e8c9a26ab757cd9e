public import Foundation
public import StubDBModel

/// What reads the bodies that a scenario left in its catalog.
public protocol StoredBodyReader: Sendable {
  /// The bytes of the body, checked against its digest.
  ///
  /// Called from any thread, when the body is served.
  /// - Throws: whatever keeps the bytes from being read, with a message for people.
  func data(for body: StoredBody) throws -> Data
}
