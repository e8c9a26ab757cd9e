#if Server
import Foundation
import StubDBFormats
import StubDBJSON
import StubDBModel

/// Mappings of WireMock as stubs, read as `stubdb import` reads them.
enum WireMockMapping {
  /// The stub of a mapping.
  ///
  /// - Throws: `DocumentError` for what is not JSON, and an ``AdminProblem`` for a mapping that has no counterpart.
  static func stub(of content: Data, id: String?) throws -> AddedStub {
    try stub(of: try members(content), id: id)
  }

  /// The stub of a mapping.
  ///
  /// - Throws: An ``AdminProblem`` for a mapping that has no counterpart.
  static func stub(of mapping: JSONObject, id: String?) throws -> AddedStub {
    var mapping = mapping
    let given = [id, text(mapping["id"]), text(mapping["uuid"])].compactMap(\.self).first
    let id = given ?? UUID().uuidString.lowercased()
    (mapping["id"], mapping["uuid"]) = (.string(id), .string(id))
    try checkStatus(mapping)
    var stub = try stub(mapping)
    stub.key = Stub.Key(id) ?? stub.key
    return AddedStub(id: id, mapping: mapping, stub: stub)
  }

  /// The pattern of requests to find.
  static func pattern(of content: Data) throws -> RequestPattern {
    let request = JSONValue.object(try members(content))
    return try stub(["request": request, "response": .object([:])]).request
  }

  /// Refuses a status that no response ends with, after which a client would go on waiting.
  ///
  /// `stubdb import` takes 0 for a status that is not given, as some recordings have it; a client means what it sends.
  private static func checkStatus(_ mapping: JSONObject) throws {
    guard case .object(let response)? = mapping["response"],
      case .number(let number)? = response["status"], response["fault"] == nil,
      response["proxyBaseUrl"] == nil, let status = number.integerValue, status < 200
    else { return }
    throw refusal(
      "/response/status: \(status) is not the status of a response; send one from 200 to 999.")
  }

  /// The members of an object.
  ///
  /// - Throws: `DocumentError` for what is not JSON, and an ``AdminProblem`` for what is not an object.
  static func members(_ content: Data) throws -> JSONObject {
    let value = try DocumentNode.reading(content, file: nil) { (root) throws(DocumentError) in
      root.value
    }
    guard case .object(let members) = value else {
      throw refusal("The content is not an object.")
    }
    return members
  }

  private static func stub(_ mapping: JSONObject) throws -> Stub {
    for name in ["request", "response"] {
      guard let value = mapping[name] else { continue }
      guard case .object = value else { throw refusal("/\(name): expected an object.") }
    }
    let log = ReportLog()
    let result: ImportResult
    do throws(FormatError) {
      let input = try ImportInput(
        file: "mapping", path: ["mapping"],
        bytes: Data(JSONValue.object(mapping).canonicalText.utf8), log: log)
      let format = ImportFormats.all.first { $0.name == "wiremock" }
      result = try Importer(log: log).scenarios(of: [input], format: format)
    } catch {
      throw refusal(error.message)
    }
    // What would answer more, or something else, than the client means is refused.
    let losses = result.report.lines.filter { $0.level == .dropped }
    guard losses.isEmpty, let stub = result.scenarios.first?.stubs.first else {
      let reasons = losses.map { reason(of: $0, in: mapping) }
      throw refusal(
        reasons.isEmpty ? "The mapping has no stub." : reasons.joined(separator: "; "))
    }
    return stub
  }

  /// Why a mapping is refused, from a line of the report on an import, which leaves stubs out instead.
  private static func reason(of line: ReportLine, in mapping: JSONObject) -> String {
    var place = line.pointer ?? ""
    guard let leftOut = line.leftOut else {
      return place.isEmpty ? line.text : "\(place): \(line.text)"
    }
    guard let part = leftOut.part else {
      return (place.isEmpty ? "" : "\(place): ")
        + "The mapping was refused: \(leftOut.reason ?? "")"
    }
    if place.isEmpty, case .object(let members)? = mapping["request"] {
      place = "/request" + (members[part] == nil ? "" : "/\(part)")
    }
    return "\(place): \(part) is not supported; the mapping was refused, because without it the "
      + "stub would answer requests it should not" + (leftOut.reason.map { " (\($0))" } ?? "")
  }

  private static func text(_ value: JSONValue?) -> String? {
    if case .string(let text)? = value { text } else { nil }
  }

  static func refusal(_ detail: String) -> AdminProblem {
    AdminProblem(422, "refused-mapping", "The mapping is refused", detail)
  }
}
#endif
