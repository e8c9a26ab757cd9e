internal import StubDBDocuments
import StubDBModel

extension ScenarioDocument {
  /// The JSON Schema (2020-12) of a document, as text with a trailing newline.
  public static var schema: String { DocumentSchema.text }
}
