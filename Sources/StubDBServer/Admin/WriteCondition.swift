#if Server
import Foundation
import HTTPTypes
import NIOHTTP1
import StubDBJSON
import StubDBSupport

/// What must hold for a document to be replaced.
///
/// https://www.rfc-editor.org/rfc/rfc9110#section-13.1
struct WriteCondition {
  private enum Kind {
    case isNew
    case has(tags: [String])
    case exists
  }

  private let kind: Kind

  init(_ request: AdminRequest) throws(AdminProblem) {
    if request.headers.first(name: "if-none-match") == "*" {
      kind = .isNew
    } else if let field = request.headers.first(name: "if-match") {
      let tags = field.split(separator: ",").map { String($0.trimmingPrefix { $0 == " " }) }
      kind = tags == ["*"] ? .exists : .has(tags: tags)
    } else {
      throw AdminProblem(
        428, "no-condition", "Precondition required",
        "Send If-Match with the ETag of what you have read, or If-None-Match: * for something new.")
    }
  }

  /// Compares with the document that is there, or nil.
  func check(_ current: String?) throws(AdminProblem) {
    let holds =
      switch kind {
      case .isNew: current == nil
      case .exists: current != nil
      case .has(let tags): current.map { tags.contains(Self.tag(of: $0)) } ?? false
      }
    if holds { return }
    var problem = AdminProblem(
      412, "changed", "It has changed",
      current == nil
        ? "It does not exist any more." : "It is not what you have read; \"current\" is what it is."
    )
    if let current {
      problem.members["current"] = try? JSONValue(parsing: Data(current.utf8))
      problem.headers[.eTag] = Self.tag(of: current)
    }
    throw problem
  }

  static func tag(of text: String) -> String {
    "\"\(SHA256Digest.hexadecimal(of: Data(text.utf8)))\""
  }
}
#endif
