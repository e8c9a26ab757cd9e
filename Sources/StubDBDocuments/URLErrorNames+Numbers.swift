package import StubDBModel

extension URLErrorNames {
  private static let names = Dictionary(uniqueKeysWithValues: codes.map { ($1, $0) })

  /// The name of a number; nil if it has none.
  package static func name(of code: Int) -> String? { names[code] }
}
