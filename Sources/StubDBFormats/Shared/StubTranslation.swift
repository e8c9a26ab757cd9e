internal import Foundation
internal import HTTPTypes
internal import StubDBDocuments
internal import StubDBJSON
internal import StubDBModel

/// Makes stubs that could also be written by hand of what a format translates its own to.
enum StubTranslation {
  /// The stubs of a value; none if it was left out, which the report says.
  ///
  /// `conditions` are the parts of the value that say when it answers. A stub is left out if anything in them was not
  /// read, because it would answer more than the original did; `isLenient` keeps it.
  /// - Throws: ``FormatError`` for a file that the value names and that is missing or outside of the folder.
  static func stubs(
    of value: SourceValue, conditions: [SourceValue?], isLenient: Bool,
    _ translate: (ReportSource) throws -> [ImportedStub]
  ) throws(FormatError) -> [ImportedStub] {
    let item = value.tree.log.beginItem()
    let source = ReportSource(value, item: item)
    return try attempt(source, conditions: conditions, isLenient: isLenient) {
      try translate(source).map { imported in
        var imported = imported
        imported.stub = try checked(imported.stub)
        (imported.items, imported.source) = ([item], source)
        return imported
      }
    } ?? []
  }

  /// The stub as the reader of documents takes it, so that none is made that could not be written by hand.
  ///
  /// - Throws: `DocumentError` for one that could not.
  static func checked(_ stub: Stub, movesHostField: Bool = true) throws -> Stub {
    var stub = stub
    if movesHostField { moveHostField(of: &stub.request) }
    stub.request = try RequestPattern(
      jsonObject: stub.request.jsonObject, at: JSONPointer(["request"]))
    stub.responses = try stub.responses.enumerated().map { place, response in
      try StubResponse(
        jsonObject: response.jsonObject(includingBody: true),
        at: JSONPointer(["responses", String(place)]))
    }
    stub.captures = try Capture.captures(
      jsonObject: Capture.jsonObject(stub.captures), at: JSONPointer(["capture"]))
    stub.flow = try stub.flow.map {
      try FlowStep(jsonObject: $0.jsonObject, at: JSONPointer(["flow"]))
    }
    return stub
  }

  /// Makes a pattern of the host of one of the field `Host`, which a client writes by itself and stubs do not see.
  private static func moveHostField(of request: inout RequestPattern) {
    guard request.host == nil, let field = request.headers.first(where: \.name.isHost) else {
      return
    }
    let pattern = field.pattern
    let isOnlyValue = pattern.operator == .hasExactly && pattern.patterns.count == 1
    let value = isOnlyValue ? pattern.patterns[0] : pattern
    if value.operator == .equalTo {
      guard let url = URLParts("http://\(value.text)/"), let host = url.host else { return }
      request.host = .equalTo(host)
      request.port = request.port ?? url.port
      refuseOtherPorts(in: &request)
    } else {
      guard pattern.operator != .absent, !pattern.hasColon else { return }
      request.host = pattern
      if !mayMatchPort(pattern) { refuseOtherPorts(in: &request) }
    }
    request.headers.removeAll { $0.name.rawName == field.name.rawName }
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
  static func refuseOtherPorts(in request: inout RequestPattern) {
    guard request.host != nil, request.port == nil, request.scheme == nil else { return }
    let pattern = ValuePattern.matches(anyURLWithoutPort)
    request.wholeURL = request.wholeURL.map { .and([$0, pattern]) } ?? pattern
  }

  /// Whether a pattern of the field may be about the port, too, or about what the field must not be.
  static func mayMatchPort(_ pattern: ValuePattern) -> Bool {
    switch pattern.operator {
    case .equalTo: false
    case .matches: pattern.text.hasSuffix("*") || pattern.text.hasSuffix("+")
    case .and, .or, .includes, .hasExactly: pattern.patterns.contains(where: mayMatchPort)
    default: true
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

extension ValuePattern {
  /// Whether a colon is in any text of the pattern.
  fileprivate var hasColon: Bool {
    if case .date(_, let date) = storage { return date.expected.contains(":") }
    return text.contains(":") || patterns.contains(where: \.hasColon)
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
