package import StubDBDocuments
package import StubDBEngine
import StubDBJSON
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
      ("part", .string(SecretDisplay.withoutTokens(part.description))),
      ("pointer", .string(pointer.map { SecretDisplay.withoutTokens($0.description) })),
      ("expected", .string(SecretDisplay.withoutTokens(expected))),
      ("actual", .string(SecretDisplay.withoutTokens(actual))),
    ])
  }
}

extension FrameRecord {
  /// The record, for programs.
  package var json: OrderedJSON {
    .object([
      ("frame", frame.map { .integer($0) } ?? .json(.null)), ("outcome", .string(outcome)),
      ("text", .string(text)), ("mismatches", .array(mismatches.map(\.json))),
    ])
  }
}
