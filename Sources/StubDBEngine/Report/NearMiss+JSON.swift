package import StubDBJSON
import StubDBModel

extension NearMiss {
  /// The stub and what differs, for programs.
  package var json: OrderedJSON {
    .object([
      ("scenario", .string(scenario.rawValue)),
      ("key", .string(SecretDisplay.text(key))),
      ("distance", .json(JSONNumber(distance).map(JSONValue.number) ?? .null)),
      ("mismatches", .array(mismatches.map(\.json))),
    ])
  }
}

extension Mismatch {
  var json: OrderedJSON {
    .object([
      ("part", .string(part.description)), ("pointer", .string(pointer?.description)),
      ("expected", .string(expected)), ("actual", .string(actual)),
    ])
  }
}
