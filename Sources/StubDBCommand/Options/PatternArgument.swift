import StubDBJSON
import StubDBJobs

/// The value of `--when`: a part of the `request` of a document.
struct PatternArgument {
  static let option = "--when"

  /// The members of the object.
  let members: JSONObject

  /// Parses an argument.
  ///
  /// - Throws: ``UsageError`` if it is not a JSON object; ``CommandError`` if a file is not JSON.
  init(_ argument: String) throws {
    guard case .object(let members) = try DataArgument.json(argument, of: Self.option) else {
      throw UsageError(
        #"\#(Self.option): it is not an object, such as {"headers": {"Accept": {"contains": "json"}}}."#
      )
    }
    self.members = members
  }
}

extension PatternArgument {
  /// Throws if an option gives what the argument gives too.
  ///
  /// - Parameter options: The other options, each with the place of what it gives.
  /// - Throws: ``UsageError`` with the first such option.
  func refuse(_ options: [(option: String, place: [String])]) throws {
    for (option, place) in options {
      guard let part = place.first, let value = members[part] else { continue }
      if let name = place.dropFirst().first {
        guard case .object(let values) = value,
          values.keys.contains(where: {
            part == "headers" ? $0.lowercased() == name.lowercased() : $0 == name
          })
        else { continue }
      }
      let what = place.map(TerminalText.line).joined(separator: " ")
      throw UsageError("\(Self.option) and \(option) both give \(what); give it once.")
    }
  }
}
