package import StubDBDrift
package import StubDBSecrets

extension DriftExceptions: FiledExceptions {}

/// The file of differences that a team lives with.
package typealias DriftFile = FileOfExceptions<DriftExceptions>

extension DriftFile {
  /// Whether a difference has an exception.
  package func accepts(_ place: DriftPlace) -> Bool { exceptions.accepts(place) }

  /// Adds an exception for each place without one, writes the file, and returns how many were added.
  package mutating func accept(_ places: [DriftPlace], reason: String) throws -> Int {
    try add { $0.accept(places, reason: reason) }
  }
}
