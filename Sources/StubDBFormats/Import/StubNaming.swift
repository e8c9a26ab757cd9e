internal import Foundation
internal import StubDBModel

/// Names for scenarios and keys for stubs: legal, readable, and the same whenever a file is imported.
enum StubNaming {
  private static let maximumSummaryLength = 120

  /// The words of an identifier: `list-items` of `listItems`, `http-server` of `HTTPServer`.
  static func words(_ identifier: String) -> String {
    identifier.replacing(#/([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/#) { "\($0.0)-" }
  }

  /// A name of several parts, `imported` if nothing is left of them.
  static func scenario(_ parts: [String], prefix: String? = nil) -> String {
    let segments = parts.flatMap { $0.split(separator: "/") }.compactMap {
      DerivedName.segment(String($0))
    }
    let name = (segments.isEmpty ? ["imported"] : segments).joined(separator: "/")
    let whole = prefix.map { "\($0)/\(name)" } ?? name
    guard whole.utf8.count > ScenarioName.maximumLength else { return whole }
    let cut = whole.prefix(ScenarioName.maximumLength)
    return String(cut).trimmingCharacters(in: CharacterSet(charactersIn: "/-"))
  }

  /// A key of a name that a person gave, or of what the stub is asked for.
  static func key(of stub: ImportedStub) -> String {
    if stub.hasExactKey { return stub.stub.key.rawValue }
    return DerivedName.key(named: stub.stub.key.rawValue)
      ?? stub.name.flatMap(DerivedName.key(named:)) ?? DerivedName.key(of: stub.stub.request)
  }

  /// The first line of a text, as a summary, or nil.
  static func summary(_ text: String) -> String? {
    let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    let clean = String(line.unicodeScalars.filter { !($0.properties.generalCategory == .control) })
      .trimmingCharacters(in: .whitespaces)
    return clean.isEmpty ? nil : String(clean.prefix(maximumSummaryLength))
  }
}
