import StubDBJSON
import StubDBModel

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

  /// Whether it gives a part of the URL by itself.
  var hasPartOfURL: Bool {
    members["url"] == nil && Self.partsOfURL.contains { members[$0] != nil }
  }

  /// Parts of a document's request that `url` takes the place of.
  static let partsOfURL = [RequestPart.scheme, .host, .port, .path].map(\.rawValue)

  /// Whether this gives the value at a place in a request.
  func gives(_ place: some Collection<String>) -> Bool {
    guard let part = place.first, let value = members[part] else { return false }
    guard let name = place.dropFirst().first, case .object(let values) = value,
      Self.named.contains(part)
    else { return true }
    return values.keys.contains(name)
  }

  /// Adds the members to a request; those of objects with names are added name by name.
  func apply(to request: inout JSONObject) {
    for (part, value) in members {
      guard Self.named.contains(part), case .object(let added) = value,
        case .object(var existing) = request[part]
      else {
        request[part] = value
        continue
      }
      let ignoringCase = part == RequestPart.headers.rawValue
      for (name, pattern) in added {
        existing = existing.filter { $0.key != name && !(ignoringCase && $0.key.isSame(as: name)) }
        existing[name] = pattern
      }
      request[part] = .object(existing)
    }
  }

  /// The parts whose members are names of a request's own.
  private static let named = Set(
    [RequestPart.pathParameters, .query, .headers, .cookies, .captured].map(\.rawValue))
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
          values.keys.contains(where: { part == "headers" ? $0.isSame(as: name) : $0 == name })
        else { continue }
      }
      let what = place.map(TerminalText.line).joined(separator: " ")
      throw UsageError("\(Self.option) and \(option) both give \(what); give it once.")
    }
  }
}

extension String {
  fileprivate func isSame(as other: String) -> Bool { lowercased() == other.lowercased() }
}
