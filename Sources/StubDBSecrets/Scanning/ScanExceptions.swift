package import Foundation
internal import StubDBDocuments
internal import StubDBJSON
package import StubDBModel
internal import StubDBSupport

/// Findings that a team has decided to accept, each with the reason.
///
/// Stored in a file that is checked in beside the catalog. A secret is identified by a salted digest, so that the file
/// does not contain it.
package struct ScanExceptions: Hashable {
  package static let fileName = ".stubdb-scan.json"

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
    self = try DocumentNode.reading(text, file: file) { (root) throws(DocumentError) in
      try root.exceptions()
    }
  }

  /// The first entry that accepts a finding, or nil.
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

  /// Findings without an exception, and the 1-based numbers of entries without a finding.
  package func sort(_ findings: [SecretFinding]) -> (findings: [SecretFinding], stale: [Int]) {
    guard !entries.isEmpty else { return (findings, []) }
    var used: Set<Int> = []
    let left = findings.filter { finding in
      let index = index(for: finding) { Self.fingerprint($0, salt: salt ?? "") }
      if let index { used.insert(index) }
      return index == nil
    }
    return (left, entries.indices.filter { !used.contains($0) }.map { $0 + 1 })
  }

  /// Adds an entry for each secret that has no exception yet, with a salt if there is none, and returns their number.
  package mutating func accept(_ findings: [SecretFinding], reason: String) -> Int {
    let salt =
      salt ?? (0..<16).map { _ in String(UInt8.random(in: 16...255), radix: 16) }.joined()
    var added: [Entry] = []
    for finding in sort(findings).findings {
      let entry = Entry(
        kind: finding.kind, fingerprint: Self.fingerprint(of: finding, salt: salt),
        reason: reason)
      if !added.contains(entry) { added.append(entry) }
    }
    if added.isEmpty { return 0 }
    self.salt = salt
    entries += added
    return added.count
  }

  /// The digest that identifies a secret in the file.
  package static func fingerprint(of finding: SecretFinding, salt: String) -> String {
    fingerprint(finding.secret.revealed, salt: salt)
  }

  private static func fingerprint(_ secret: String, salt: String) -> String {
    String(SHA256Digest.hexadecimal(of: Data("\(salt):\(secret)".utf8)).prefix(32))
  }

  /// The text of the file, which parses as the same value.
  package var text: String {
    let list = entries.map { entry in
      let parts = [
        ("scenario", entry.scenario), ("key", entry.key), ("pointer", entry.pointer),
        ("kind", entry.kind?.rawValue), ("fingerprint", entry.fingerprint),
        ("reason", entry.reason),
      ]
      return OrderedJSON.object(parts.flatMap(OrderedJSON.text))
    }
    return OrderedJSON.object(
      OrderedJSON.text("salt", salt) + [("exceptions", .array(list))]
    ).text
  }
}

extension DocumentObjectKind {
  fileprivate static let exceptions = DocumentObjectKind(
    "a file of exceptions", ["salt", "exceptions"])
  fileprivate static let exception = DocumentObjectKind(
    "an exception", ["scenario", "key", "pointer", "kind", "fingerprint", "reason"])
}

extension DocumentNode {
  fileprivate func exceptions() throws(DocumentError) -> ScanExceptions {
    let object = try object(.exceptions)
    var exceptions = ScanExceptions()
    exceptions.salt = try object["salt"]?.string()
    for node in try object.required("exceptions").list("a list of exceptions") {
      exceptions.entries.append(try node.exception(hasSalt: exceptions.salt != nil))
    }
    return exceptions
  }

  private func exception(hasSalt: Bool) throws(DocumentError) -> ScanExceptions.Entry {
    let object = try object(.exception)
    guard let reason = try object["reason"]?.string(),
      reason.contains(where: { !$0.isWhitespace })
    else {
      throw failure(.missingKey, "an exception needs a \"reason\"")
    }
    var entry = ScanExceptions.Entry(reason: reason)
    entry.scenario = try object["scenario"]?.string()
    entry.key = try object["key"]?.string()
    entry.pointer = try object["pointer"]?.string()
    entry.fingerprint = try object["fingerprint"]?.string()
    let kind = try object["kind"]?.word(
      "a kind of secret", of: SecretKind.allCases.map(\.rawValue))
    entry.kind = kind.flatMap(SecretKind.init(rawValue:))
    if entry.scenario == nil, entry.fingerprint == nil {
      throw failure(.missingKey, "an exception needs a \"scenario\" or a \"fingerprint\"")
    }
    if let fingerprint = object["fingerprint"], !hasSalt {
      throw fingerprint.failure(
        .missingKey, "a fingerprint needs the \"salt\" that it was made with")
    }
    return entry
  }
}
