public import Foundation
public import StubDBModel

/// Reads the bodies that a loaded scenario left in its catalog.
public protocol StoredBodyReader: Sendable {
  /// The bytes of the body, checked against its digest.
  ///
  /// Called from any thread, when the body is served.
  /// - Throws: The error that prevents reading, with a message for users.
  func data(for body: StoredBody) throws -> Data
}
