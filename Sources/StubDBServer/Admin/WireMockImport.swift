#if Server
import Foundation
import StubDBJSON
import StubDBModel

/// Mappings that a client adds in one request.
///
/// https://wiremock.org/docs/stubbing/#importing-stubs
struct WireMockImport {
  private static let policies = ["OVERWRITE", "IGNORE"]

  private let stubs: [AddedStub]
  /// Whether a mapping with a known id stays as it is.
  private let keepsKnown: Bool
  private let removesOthers: Bool

  /// Reads the mappings.
  ///
  /// - Throws: `DocumentError` or an ``AdminProblem`` for the first mapping that cannot be added; then none is.
  init(_ content: Data) throws {
    let members = try WireMockMapping.members(content)
    guard case .array(let mappings)? = members["mappings"] else {
      throw WireMockMapping.refusal("\"mappings\" is missing, or is not a list.")
    }
    let options = try Self.options(of: members)
    keepsKnown = options["duplicatePolicy"] == "IGNORE"
    removesOthers = options["deleteAllNotInImport"] == true
    stubs = try mappings.enumerated().map { index, mapping in
      guard case .object(let members) = mapping else {
        throw WireMockMapping.refusal("/mappings/\(index): A mapping is an object.")
      }
      do {
        return try WireMockMapping.stub(of: members, id: nil)
      } catch let problem as AdminProblem {
        var problem = problem
        problem.detail =
          "/mappings/\(index)\(problem.detail.hasPrefix("/") ? "" : ": ")"
          + problem.detail
        throw problem
      }
    }
  }

  private static func options(of members: JSONObject) throws -> JSONObject {
    guard let given = members["importOptions"] else { return [:] }
    guard case .object(let options) = given else {
      throw WireMockMapping.refusal("/importOptions is an object.")
    }
    let policy = options["duplicatePolicy"]
    if let policy, !policies.contains(where: { policy == .string($0) }) {
      throw WireMockMapping.refusal(
        "/importOptions/duplicatePolicy is one of \(policies.joined(separator: ", ")).")
    }
    if let removes = options["deleteAllNotInImport"], removes != true, removes != false {
      throw WireMockMapping.refusal("/importOptions/deleteAllNotInImport is true or false.")
    }
    return options
  }

  /// What clients have added, with these mappings before it; known ones stay in their place.
  func applied(to added: [AddedStub]) -> [AddedStub] {
    let given = Dictionary(stubs.map { ($0.id, $0) }) { one, _ in one }
    let known = Set(added.map(\.id))
    let kept = added.compactMap { stub -> AddedStub? in
      guard let replacement = given[stub.id] else { return removesOthers ? nil : stub }
      return keepsKnown ? stub : replacement
    }
    var seen = known
    return stubs.filter { seen.insert($0.id).inserted } + kept
  }
}
#endif
