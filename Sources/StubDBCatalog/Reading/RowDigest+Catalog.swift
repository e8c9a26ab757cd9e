internal import Foundation

/// What the digests in a catalog are made of.
///
/// They form a tree: that of the catalog covers those of the scenarios, which cover those of their
/// stubs, which cover those of the bodies. A migration that changes a column below has to renew them.
extension RowDigest {
  private static let stubColumns: Range<Int32> = 0..<13
  /// All but the bytes of the body, which have a digest of their own among these.
  private static let responseColumns: Range<Int32> = 0..<7

  /// Takes a row of ``ReadQueries/stubs`` in.
  mutating func update(stub row: Statement) { update(row, columns: Self.stubColumns) }

  /// Takes a row of ``ReadQueries/responses`` in.
  mutating func update(response row: Statement) { update(row, columns: Self.responseColumns) }

  /// Takes a row of ``ReadQueries/scenario`` or ``ReadQueries/scenarioList`` in, without its digest.
  mutating func update(scenario row: Statement) { update(row, columns: 1..<6) }

  /// Takes a row of ``ReadQueries/includes`` or ``ReadQueries/allIncludes`` in.
  mutating func update(include row: Statement) { update(row, columns: 0..<1) }

  /// Takes the digest and the name of ``ReadQueries/scenarioNames`` or ``ReadQueries/scenarioList`` in.
  mutating func update(name row: Statement) { update(row, columns: 0..<2) }

  /// The digest of a scenario's stubs from those of their rows.
  static func ofStubs(_ stubs: Data, responses: Data) -> Data {
    var digest = RowDigest()
    digest.update(stubs)
    digest.update(responses)
    return digest.finish()
  }
}
