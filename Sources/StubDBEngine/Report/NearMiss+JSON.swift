package import StubDBJSON
import StubDBModel

extension NearMiss {
  /// The stub and what differs, for programs.
  package var json: OrderedJSON {
    .object([
      ("scenario", .string(scenario.rawValue)),
      ("key", .string(SecretDisplay.text(key))),
      ("distance", .json(JSONNumber(distance).map(JSONValue.number) ?? .null)),
      ("mismatches", .array(mismatches.map(Self.json))),
    ])
  }

  private static func json(_ mismatch: Mismatch) -> OrderedJSON {
    .object([
      ("part", .string(mismatch.part.description)),
      ("pointer", .string(mismatch.pointer?.description)),
      ("expected", .string(mismatch.expected)),
      ("actual", .string(mismatch.actual)),
    ])
  }
}
