/// What a scenario includes: another scenario of its catalog, or one of a catalog that `stubdb.lock` names.
///
/// Written `card/declined`, or `payments:card/declined` with the name that the lock gives to the catalog. References are
/// ordered by bytes.
public struct ScenarioReference: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The longest name of a catalog, in characters.
  package static let maximumCatalogLength = 100
  private static let separator: Character = ":"

  /// The name that the lock gives to the catalog; nil for the catalog of the scenario that includes.
  public let catalog: String?
  /// The name of the scenario in that catalog.
  public let name: ScenarioName

  /// Refers to a scenario of the same catalog.
  public init(_ name: ScenarioName) {
    (catalog, self.name) = (nil, name)
  }

  /// Reads a reference; nil if the text is not a valid one.
  public init?(_ text: String) {
    guard Self.reasonAgainst(text) == nil else { return nil }
    self.init(unchecked: text)
  }

  /// Makes a reference of a text that was checked before, such as a row of a catalog.
  package init(unchecked text: String) {
    // Most have no catalog, and finding that out byte by byte takes a fraction of the time.
    guard text.utf8.contains(UInt8(ascii: ":")), let place = text.firstIndex(of: Self.separator)
    else {
      self.init(ScenarioName(unchecked: text))
      return
    }
    self.init(
      ScenarioName(unchecked: String(text[text.index(after: place)...])), in: String(text[..<place])
    )
  }

  /// Refers to a scenario of a catalog that the lock calls `catalog`; nil for the same catalog.
  package init(_ name: ScenarioName, in catalog: String?) {
    (self.catalog, self.name) = (catalog, name)
  }

  /// The reference as text.
  public var rawValue: String {
    catalog.map { "\($0)\(Self.separator)\(name.rawValue)" } ?? name.rawValue
  }

  /// The reference as text.
  public var description: String { rawValue }

  /// The name, if the scenario is one of the same catalog.
  package var ownName: ScenarioName? { catalog == nil ? name : nil }

  /// The name under which reports, journals and the usage ledger know the scenario.
  ///
  /// Of a scenario of another catalog it is the whole text, which no catalog can have as a name: so two scenarios of one
  /// name in two catalogs stay apart.
  package var originName: ScenarioName { catalog == nil ? name : ScenarioName(unchecked: rawValue) }

  /// Whether one reference comes before the other, byte by byte.
  public static func < (left: ScenarioReference, right: ScenarioReference) -> Bool {
    left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
  }

  /// Why the text is not a reference, as the end of a sentence; nil if it is one.
  package static func reasonAgainst(_ text: String) -> String? {
    guard let place = text.firstIndex(of: separator) else {
      return ScenarioName.reasonAgainst(text)
    }
    if let reason = reasonAgainst(catalog: String(text[..<place])) {
      return "the catalog before ':' is no name: \(reason)"
    }
    return ScenarioName.reasonAgainst(String(text[text.index(after: place)...]))
      .map { "after ':', \($0)" }
  }

  /// Why a text cannot be the name that a lock gives to a catalog, as a sentence; nil if it can.
  package static func reasonAgainst(catalog name: String) -> String? {
    let isPlain = name.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        || [0x2D, 0x2E, 0x5F].contains($0)
    }
    guard isPlain, !name.isEmpty, !name.hasPrefix("."), name.utf8.count <= maximumCatalogLength
    else { return "a name has letters, digits, '-', '_' and '.', which must not begin it" }
    return nil
  }
}

extension Sequence<ScenarioReference> {
  /// The names of the scenarios that are in the same catalog, in order.
  package var ownNames: [ScenarioName] { compactMap(\.ownName) }

  /// Whether a scenario of the same catalog is among them.
  package func contains(_ name: ScenarioName) -> Bool { contains { $0.ownName == name } }
}
