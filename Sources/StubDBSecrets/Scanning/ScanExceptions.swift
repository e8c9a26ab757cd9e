package import Foundation
internal import StubDBJSON
package import StubDBModel
internal import StubDBSupport

/// Findings that a team has decided to accept, each with the reason.
///
/// Stored in a file that is checked in beside the catalog. A secret is identified by a salted digest, so that the file
/// does not contain it.
package struct ScanExceptions: Hashable {
  /// The condition of an entry; every part that it names must be equal to the finding's.
  package struct Entry: Hashable {
    package var scenario: String?
    package var key: String?
    package var pointer: String?
    package var kind: SecretKind?
    package var fingerprint: String?
    package var reason: String

    /// An entry that accepts a secret wherever it is.
    package init(kind: SecretKind, fingerprint: String, reason: String) {
      self.kind = kind
      self.fingerprint = fingerprint
      self.reason = reason
    }

    fileprivate init(reason: String) {
      self.reason = reason
    }
  }

  /// The salt of the fingerprints; nil if no entry has one.
  package var salt: String?
  /// The entries, in order.
  package var entries: [Entry] = []

  package init() {}

  /// Parses the file strictly.
  ///
  /// - Parameters:
  ///   - text: JSON text in UTF-8.
  ///   - file: The name of the file in errors.
  /// - Throws: `DocumentError` with the file, the line and the place.
  package init(parsing text: Data, file: String) throws(DocumentError) {
    let reader = ExceptionsReader(text: text, file: file)
    self = try reader.read()
  }

  /// The first entry that accepts a finding; nil if there is none.
  ///
  /// An entry may give a place as printed or as in the document; they differ if a name is a secret.
  package func index(for finding: SecretFinding, fingerprint: (String) -> String) -> Int? {
    func names(_ part: String?, _ forms: String?...) -> Bool { part == nil || forms.contains(part) }
    let place = finding.place
    return entries.firstIndex { entry in
      names(entry.scenario, place.scenario, finding.scenario.rawValue)
        && names(entry.key, place.key, finding.key)
        && (entry.kind ?? finding.kind) == finding.kind
        && names(entry.pointer, place.pointer, finding.pointer.description)
        && (entry.fingerprint == nil || entry.fingerprint == fingerprint(finding.secret.revealed))
    }
  }

  /// The text of the file, which parses as the same value.
  package var text: String {
    var members: [String] = []
    if let salt { members.append("  \"salt\": \(JSONValue.string(salt).canonicalText)") }
    let list = entries.map { entry in
      let parts = [
        ("scenario", entry.scenario), ("key", entry.key), ("pointer", entry.pointer),
        ("kind", entry.kind?.rawValue), ("fingerprint", entry.fingerprint),
        ("reason", entry.reason),
      ]
      let lines = parts.compactMap { name, value in
        value.map { "      \"\(name)\": \(JSONValue.string($0).canonicalText)" }
      }
      return "    {\n" + lines.joined(separator: ",\n") + "\n    }"
    }
    let exceptions = list.isEmpty ? "[]" : "[\n" + list.joined(separator: ",\n") + "\n  ]"
    members.append("  \"exceptions\": \(exceptions)")
    return "{\n" + members.joined(separator: ",\n") + "\n}\n"
  }
}

/// Parses the text of a file of exceptions.
private struct ExceptionsReader {
  let text: Data
  let file: String

  func read() throws(DocumentError) -> ScanExceptions {
    let root: JSONValue
    do throws(JSONSyntaxError) {
      root = try JSONValue(parsing: text)
    } catch {
      throw DocumentError(
        .syntax, file: file, pointer: error.pointer, line: error.line, column: error.column,
        message: error.message)
    }
    let members = try members(of: root, at: JSONPointer(), known: ["salt", "exceptions"])
    var exceptions = ScanExceptions()
    exceptions.salt = try string("salt", of: members, at: JSONPointer())
    let place = JSONPointer(["exceptions"])
    guard case .array(let list)? = members["exceptions"] else {
      throw failure(.wrongType, place, "\"exceptions\" must be a list")
    }
    for (index, element) in list.enumerated() {
      exceptions.entries.append(
        try entry(element, at: place.appending(index), hasSalt: exceptions.salt != nil))
    }
    return exceptions
  }

  private func entry(
    _ value: JSONValue, at place: JSONPointer, hasSalt: Bool
  ) throws(DocumentError) -> ScanExceptions.Entry {
    let members = try members(
      of: value, at: place,
      known: ["scenario", "key", "pointer", "kind", "fingerprint", "reason"])
    guard let reason = try string("reason", of: members, at: place),
      reason.contains(where: { !$0.isWhitespace })
    else {
      throw failure(.missingKey, place, "an exception needs a \"reason\"")
    }
    var entry = ScanExceptions.Entry(reason: reason)
    entry.scenario = try string("scenario", of: members, at: place)
    entry.key = try string("key", of: members, at: place)
    entry.pointer = try string("pointer", of: members, at: place)
    entry.fingerprint = try string("fingerprint", of: members, at: place)
    if let kind = try string("kind", of: members, at: place) {
      entry.kind = SecretKind(rawValue: kind)
      if entry.kind == nil {
        let advice = SecretKind.allCases.map(\.rawValue).nearest(to: kind)
        throw failure(
          .invalidValue, place.appending("kind"),
          "\"\(kind)\" is not a kind of secret" + (advice.map { "; did you mean \"\($0)\"?" } ?? "")
        )
      }
    }
    if entry.scenario == nil, entry.fingerprint == nil {
      throw failure(
        .missingKey, place, "an exception needs a \"scenario\" or a \"fingerprint\"")
    }
    if entry.fingerprint != nil, !hasSalt {
      throw failure(
        .missingKey, place.appending("fingerprint"),
        "a fingerprint needs the \"salt\" that it was made with")
    }
    return entry
  }

  private func members(
    of value: JSONValue, at place: JSONPointer, known: [String]
  ) throws(DocumentError) -> [String: JSONValue] {
    guard case .object(let members) = value else {
      throw failure(.wrongType, place, "an object is needed here")
    }
    if let unknown = members.keys.sorted().first(where: { !known.contains($0) }) {
      let advice = known.nearest(to: unknown).map { "did you mean \"\($0)\"?" }
      throw failure(
        .unknownKey, place.appending(unknown),
        "unknown key \"\(unknown)\"; \(advice ?? "known are \(known.joined(separator: ", "))")")
    }
    return members
  }

  private func string(
    _ key: String, of members: [String: JSONValue], at place: JSONPointer
  ) throws(DocumentError) -> String? {
    switch members[key] {
    case nil: return nil
    case .string(let text): return text
    default: throw failure(.wrongType, place.appending(key), "\"\(key)\" must be a string")
    }
  }

  private func failure(
    _ code: DocumentError.Code, _ place: JSONPointer, _ message: String
  ) -> DocumentError {
    DocumentError(
      code, file: file, pointer: place, line: JSONPlaceFinder.line(of: place, in: text),
      message: message)
  }
}
