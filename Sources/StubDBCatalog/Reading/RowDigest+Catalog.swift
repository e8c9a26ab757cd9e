internal import Foundation

/// The contents of the digests in a catalog.
///
/// They form a tree: the catalog's digest covers those of the scenarios, which cover those of their stubs, which cover
/// those of the bodies. A migration that changes a column below has to update them.
extension RowDigest {
  /// Adds a row of ``ReadQueries/scenario`` or ``ReadQueries/scenarioList``, without its digest.
  mutating func update(scenario row: Statement) { update(row, columns: 1..<6) }

  /// Adds a row of ``ReadQueries/includes`` or ``ReadQueries/allIncludes``.
  mutating func update(include row: Statement) { update(row, columns: 0..<1) }

  /// Adds a row of ``ReadQueries/conflicts``.
  mutating func update(conflict row: Statement) { update(row, columns: 0..<6) }

  /// Adds the digest and the name of a row of ``ReadQueries/scenarioNames`` or ``ReadQueries/scenarioList``.
  mutating func update(name row: Statement) { update(row, columns: 0..<2) }

  /// The digest of a scenario's stubs, whose rows have been read.
  static func ofStubs(_ stubs: HashedRows, responses: HashedRows) -> Data {
    var hash = SHA256Digest()
    hash.update(stubs.digest())
    hash.update(responses.digest())
    return hash.finalized()
  }
}
