internal import Foundation

/// What the digests in a catalog are made of.
///
/// They form a tree: that of the catalog covers those of the scenarios, which cover those of their
/// stubs, which cover those of the bodies. A migration that changes a column below has to renew them.
extension RowDigest {
  /// Takes a row of ``ReadQueries/scenario`` or ``ReadQueries/scenarioList`` in, without its digest.
  mutating func update(scenario row: Statement) { update(row, columns: 1..<6) }

  /// Takes a row of ``ReadQueries/includes`` or ``ReadQueries/allIncludes`` in.
  mutating func update(include row: Statement) { update(row, columns: 0..<1) }

  /// Takes a row of ``ReadQueries/conflicts`` in.
  mutating func update(conflict row: Statement) { update(row, columns: 0..<6) }

  /// Takes the digest and the name of ``ReadQueries/scenarioNames`` or ``ReadQueries/scenarioList`` in.
  mutating func update(name row: Statement) { update(row, columns: 0..<2) }

  /// The digest of a scenario's stubs, whose rows have been read.
  static func ofStubs(_ stubs: HashedRows, responses: HashedRows) -> Data {
    var hash = SHA256Digest()
    hash.update(stubs.digest())
    hash.update(responses.digest())
    return hash.finalized()
  }
}
