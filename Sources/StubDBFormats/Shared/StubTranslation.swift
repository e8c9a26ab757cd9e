internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// Makes stubs of the documents that a format translates its own to.
enum StubTranslation {
  /// A stub as a document, and the name that a person gave it.
  struct Draft {
    var document: [String: JSONValue]
    var name: String?
    var summary: String?
  }

  /// The stubs of a value; none if it was left out, which the report says.
  ///
  /// `conditions` are the parts of the value that say when it answers. A stub is left out if anything in them was not
  /// read, because it would answer more than the original did; `isLenient` keeps it.
  /// - Throws: ``FormatError`` for a file that the value names and that is missing or outside of the folder.
  static func stubs(
    of value: SourceValue, conditions: [SourceValue?], isLenient: Bool,
    _ translate: (ReportSource) throws -> [Draft]
  ) throws(FormatError) -> [ImportedStub] {
    let item = value.tree.log.beginItem()
    let source = ReportSource(value, item: item)
    return try attempt(source, conditions: conditions, isLenient: isLenient) {
      try translate(source).map { draft in
        var stub = try stub(draft, items: [item])
        stub.source = source
        return stub
      }
    } ?? []
  }

  /// The stub of a draft.
  ///
  /// The reader of documents checks it, so that no stub is made that could not be written by hand.
  static func stub(_ draft: Draft, items: [ReportLog.Item]) throws -> ImportedStub {
    var document = draft.document
    moveHostField(of: &document)
    document["key"] = "stub"
    var stub = try Stub(jsonObject: document)
    stub.key = .unset
    stub.summary = (draft.summary ?? draft.name).flatMap(StubNaming.summary)
    return ImportedStub(stub: stub, name: draft.name, items: items)
  }

  /// Makes a pattern of the host of one of the field `Host`, which a client writes by itself and stubs do not see.
  static func moveHostField(of document: inout [String: JSONValue]) {
    guard case .object(var request) = document["request"], request["host"] == nil,
      case .object(var headers) = request["headers"],
      let name = headers.keys.first(where: { $0.lowercased() == "host" }),
      let pattern = headers[name]
    else { return }
    if let authority = literal(pattern) {
      guard let url = URLParts("http://\(authority)/"), let host = url.host else { return }
      request["host"] = .string(host)
      if let port = url.port, request["port"] == nil {
        request["port"] = .number(JSONNumber(port))
      }
      refuseOtherPorts(in: &request)
    } else {
      guard case .object(let members) = pattern, members["absent"] == nil,
        !pattern.canonicalText.replacingOccurrences(of: "\":", with: "").contains(":")
      else { return }
      request["host"] = pattern
      if !mayMatchPort(pattern) { refuseOtherPorts(in: &request) }
    }
    headers[name] = nil
    request["headers"] = headers.isEmpty ? nil : .object(headers)
    document["request"] = .object(request)
  }

  /// An expression for every URL without a port, and every path.
  static let anyURLWithoutPort = "(?:[a-z]+://[^/:?]+)?+(?:[/?].*)?"
  /// The same in catalogs that were written before paths belonged to it.
  private static let anyAbsoluteURLWithoutPort = "[a-z]+://[^/:?]+(?:[/?].*)?"

  /// Whether a pattern leaves only the default port of the scheme.
  static func refusesOtherPorts(_ pattern: ValuePattern?) -> Bool {
    pattern == .matches(anyURLWithoutPort) || pattern == .matches(anyAbsoluteURLWithoutPort)
  }

  /// Leaves only the default port of the scheme to a request with a host: without a port, the field is equal to no other.
  ///
  /// A pattern with a scheme has that port anyway.
  static func refuseOtherPorts(in request: inout [String: JSONValue]) {
    guard request["host"] != nil, request["port"] == nil, request["scheme"] == nil else { return }
    let pattern = JSONValue.object(["matches": .string(anyURLWithoutPort)])
    switch request["url"] {
    case nil: request["url"] = pattern
    case .object(let other)?: request["url"] = ["and": .array([.object(other), pattern])]
    default: break
    }
  }

  /// Whether a pattern of the field may be about the port, too, or about what the field must not be.
  static func mayMatchPort(_ pattern: JSONValue) -> Bool {
    switch pattern {
    case .array(let elements): return elements.contains(where: mayMatchPort)
    case .object(let members):
      return members.contains { name, operand in
        switch (name, operand) {
        case ("equalTo", _), ("caseInsensitive", _): false
        case ("matches", .string(let text)): text.hasSuffix("*") || text.hasSuffix("+")
        case ("or", _), ("and", _), ("includes", _), ("hasExactly", _): mayMatchPort(operand)
        default: true
        }
      }
    default: return false
    }
  }

  private static func literal(_ pattern: JSONValue) -> String? {
    switch pattern {
    case .string(let text): text
    case .array(let elements) where elements.count == 1: literal(elements[0])
    case .object(let members):
      if members.keys.allSatisfy({ ["equalTo", "caseInsensitive"].contains($0) }),
        case .string(let text)? = members["equalTo"]
      {
        text
      } else {
        nil
      }
    default: nil
    }
  }

  /// What a translation gives; nil if its stub was left out, which the report says.
  ///
  /// Conditions are checked once everything is read, see ``stubs(of:conditions:isLenient:_:)``.
  static func attempt<Result>(
    _ source: ReportSource, conditions: [SourceValue?], isLenient: Bool,
    _ translate: () throws -> Result
  ) throws(FormatError) -> Result? {
    do {
      let result = try translate()
      for condition in conditions { try condition?.requireRead(isLenient: isLenient) }
      return result
    } catch let error as FormatError {
      throw error
    } catch let error as Untranslatable {
      source.leaveOut(LeftOut(part: error.name, reason: error.reason))
    } catch let error as Unanswerable {
      source.leaveOut(LeftOut(reason: error.reason), error.id)
    } catch let error as DocumentError {
      source.leaveOut(LeftOut(reason: "\(error.pointer): \(error.message)"))
    } catch {
      source.leaveOut(LeftOut(reason: "\(error)"))
    }
    return nil
  }
}

/// A part of a stub that has no counterpart.
struct Untranslatable: Error {
  /// What it is, such as `customMatcher`.
  var name: String
  /// Why, in a few words; nil where the name says enough.
  var reason: String?

  init(_ name: String, _ reason: String? = nil) {
    self.name = name
    self.reason = reason
  }
}

/// An answer that cannot be given.
struct Unanswerable: Error {
  /// Why, as the end of a sentence.
  var reason: String
  var id = ReportID.stubLeftOut

  init(_ reason: String, id: ReportID = .stubLeftOut) {
    self.reason = reason
    self.id = id
  }
}
