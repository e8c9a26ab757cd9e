internal import StubDBJSON

/// The schemas of a description by their places, since thousands of stubs may answer one operation.
final class OpenAPICompiledSchemas {
  /// What becomes of a schema.
  enum Outcome {
    case compiled(JSONSchema)
    case tooLarge
    /// Why it is none, as the end of a sentence.
    case unreadable(String)
  }

  private struct Place: Hashable {
    var tree: ObjectIdentifier
    var index: Int
    var direction: OpenAPISchema.Direction
  }

  /// With so many values in the schemas they are made again when they are needed.
  private static let largest = 500_000

  private let references: OpenAPIReferences
  private let isOld: Bool
  private var outcomes: [Place: Outcome] = [:]

  /// `isOld` says whether schemas are those of OpenAPI 3.0 and before.
  init(_ references: OpenAPIReferences, isOld: Bool) {
    (self.references, self.isOld) = (references, isOld)
  }

  /// The schema at a place; the keywords of `without` are left out of it.
  ///
  /// - Throws: ``FormatError`` for a reference that cannot be followed.
  func outcome(
    of value: SourceValue, _ direction: OpenAPISchema.Direction, without keyword: String? = nil
  ) throws(FormatError) -> Outcome {
    let place = Place(
      tree: ObjectIdentifier(value.tree), index: value.index, direction: direction)
    if let known = outcomes[place] { return known }
    if references.translatedCount > Self.largest {
      (outcomes, references.translatedCount) = ([:], 0)
    }
    let outcome = try compiled(value, direction, without: keyword)
    outcomes[place] = outcome
    return outcome
  }

  private func compiled(
    _ value: SourceValue, _ direction: OpenAPISchema.Direction, without keyword: String?
  ) throws(FormatError) -> Outcome {
    var translation = OpenAPISchema(references: references, isOld: isOld, direction: direction)
    guard var translated = try translation.schema(of: value) else { return .tooLarge }
    if let keyword, case .object(var members) = translated {
      members[keyword] = nil
      translated = .object(members)
    }
    do throws(JSONSchemaError) {
      return .compiled(try JSONSchema(translated, dialect: .draft202012))
    } catch {
      return .unreadable("\(error)")
    }
  }
}
