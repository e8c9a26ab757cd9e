import StubDBDescriptions
import StubDBDrift
import StubDBJSON

/// Reads what operations say of their JSON answers.
///
/// All schemas share their definitions: those of a large description refer to nearly all of it.
struct KeptAnswerReader {
  /// How many values all schemas may have.
  private static let maximumCount = 300_000

  let description: OpenAPIOperations

  /// Adds the answers to the operations, in the order of the description; nil, and nothing is added, if they are too many.
  ///
  /// - Throws: ``FormatError`` for a reference that cannot be followed.
  func add(
    to operations: inout [KeptDescription.Operation]
  ) throws(FormatError) -> JSONObject? {
    description.references.translatedCount = 0
    var translation = OpenAPISchema(
      references: description.references, isOld: description.isOld, direction: .response,
      limit: Self.maximumCount)
    var answers: [[String: JSONValue]] = []
    for operation in description.operations {
      var own: [String: JSONValue] = [:]
      for member in operation.value["responses"]?.members ?? [] {
        let response = try description.references.resolved(member.value)
        guard let schema = try schema(of: response) else { continue }
        own[member.name] = try translation.sharedSchema(of: schema)
      }
      answers.append(own)
    }
    guard !translation.isTooMuch else { return nil }
    for (index, own) in answers.enumerated() { operations[index].answers = own }
    return translation.definitions
  }

  /// The schema of the JSON content of a response; nil if there is none.
  private func schema(of response: SourceValue) throws(FormatError) -> SourceValue? {
    if description.isSwagger { return response["schema"] }
    for member in response["content"]?.members ?? []
    where member.name.hasPrefix("*/*") || MediaType(member.name)?.isJSON == true {
      return try description.references.resolved(member.value)["schema"]
    }
    return nil
  }
}
