import StubDBJSON
import StubDBModel
import StubDBSecrets

/// Findings and their places as lines of text; no secret is in them.
enum FindingView {
  static func line(_ finding: SecretFinding) -> String {
    let (stub, pointer) = words(finding.place)
    return "\(Style.output.bold(stub)) \(pointer): \(finding.kind.title), "
      + "\(finding.secret.byteCount) bytes"
  }

  /// A place that changed.
  static func line(_ place: SecretPlace) -> String {
    let (stub, pointer) = words(place)
    return "\(Style.output.bold(stub)) \(pointer)"
  }

  /// A place inside a sentence.
  static func place(_ place: SecretPlace) -> String {
    let (stub, pointer) = words(place)
    return "\(stub) \(pointer)"
  }

  private static func words(_ place: SecretPlace) -> (stub: String, pointer: String) {
    let stub = [Printable.line(place.scenario), place.key.map(Printable.line)]
      .compactMap { $0 }.joined(separator: " ")
    return (stub, Printable.line(place.pointer))
  }
}

extension OrderedJSON {
  /// The members that say where a secret is.
  static func members(of place: SecretPlace) -> [(name: String, value: OrderedJSON)] {
    [
      ("scenario", .string(place.scenario)), ("key", .string(place.key)),
      ("pointer", .string(place.pointer)),
    ]
  }
}
