import Foundation
import StubDBDocuments
import StubDBJSON
import StubDBModel
import Testing

/// The JSON Schema accepts what the decoder accepts, so that an editor and `stubdb add` say the same.
@Suite struct SchemaAgreementTests {
  private static let schema = Result { try JSONSchema(JSONValue(parsing: DocumentSchema.text)) }

  private func violations(in document: JSONValue) throws -> [String] {
    try Self.schema.get().violations(in: document).map(\.description)
  }

  /// What is wrong with the value in a document, by the schema and by the decoder.
  private func verdicts(
    _ value: JSONValue, as kind: String
  ) throws -> (schema: [String], decoder: String?) {
    let row = DocumentTable.Row(kind: kind, value: value, error: "")
    do {
      _ = try ScenarioDocument.decode(row.document) { _ in Data("content".utf8) }
      return (try violations(in: row.wrap(value)), nil)
    } catch let error as DocumentError {
      return (try violations(in: row.wrap(value)), error.description)
    }
  }

  @Test(arguments: try ExampleScenarioTests.names())
  func examplesAreAccepted(file: String) throws {
    let text = try Data(contentsOf: ExampleScenarioTests.folder.appending(path: file))
    #expect(try violations(in: JSONValue(parsing: text)) == [])
  }

  @Test(arguments: try DocumentTable.rows("good"))
  func goodDocumentsAreAccepted(row: DocumentTable.Row) throws {
    #expect(try violations(in: row.wrap(row.value)) == [])
  }

  @Test(arguments: try DocumentTable.rows("bad"))
  func badDocumentsAreRefusedUnlessOnlyTheDecoderCan(row: DocumentTable.Row) throws {
    #expect(try violations(in: row.wrap(row.value)).isEmpty == row.isAcceptedBySchema)
  }

  @Test(arguments: DocumentOperators.body.names, ["value", "body"])
  func operatorsTakeTheSameValues(name: String, kind: String) throws {
    let values: [JSONValue] = [
      "2026-01-01T00:00:00Z", "", 1, true, false, nil, [], ["a"], [:], ["equalTo": "a"],
    ]
    for value in values {
      let (schema, decoder) = try verdicts(.object([name: value]), as: kind)
      #expect(
        schema.isEmpty == (decoder == nil), "\(value.canonicalText): \(schema) \(decoder ?? "")")
    }
  }

  @Test(arguments: ResponsePart.allCases)
  func membersOfAResponseExcludeEachOtherAlike(part: ResponsePart) throws {
    for other in ResponsePart.allCases {
      let members = part.sample.merging(other.sample) { $1 }
      let (schema, decoder) = try verdicts(.object(members), as: "response")
      #expect(schema.isEmpty == (decoder == nil), "\(other): \(schema) \(decoder ?? "")")
    }
  }
}
