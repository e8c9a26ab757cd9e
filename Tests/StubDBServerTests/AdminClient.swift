#if Server
import Foundation
import StubDBCatalog
import StubDBCatalogEditing
import StubDBDocuments
import StubDBJSON
import StubDBModel
import StubDBServer
import StubDBTestSupport
import Testing

/// What the admin API answered.
struct AdminResult {
  let status: Int
  let text: String
  let fields: [String: String]

  /// The value at a pointer; nil if there is none.
  subscript(pointer: String) -> JSONValue? {
    var value = try? JSONValue(parsing: Data(text.utf8))
    for token in pointer.split(separator: "/") {
      switch value {
      case .object(let members)?: value = members[String(token)]
      case .array(let elements)?:
        guard let index = Int(token), elements.indices.contains(index) else {
          return Optional.none
        }
        value = elements[index]
      default: return Optional.none
      }
    }
    return value
  }

  /// Whether there is no value at a pointer; `null` is one.
  func isMissing(_ pointer: String) -> Bool {
    if case nil = self[pointer] { true } else { false }
  }

  /// The text at a pointer; empty if there is none.
  func text(_ pointer: String) -> String {
    if case .string(let text)? = self[pointer] { text } else { "" }
  }
}

extension TestServer {
  /// Sends a request, with JSON unless the fields name another type.
  func ask(
    _ method: String, _ path: String, _ content: String = "", fields: [String] = [],
    host: String = "127.0.0.1"
  ) throws -> AdminResult {
    var head = "\(method) \(path) HTTP/1.1\r\n"
    if !fields.contains(where: { $0.hasPrefix("Host:") }) { head += "Host: \(host)\r\n" }
    if !content.isEmpty {
      head += "Content-Length: \(content.utf8.count)\r\n"
      if !fields.contains(where: { $0.hasPrefix("Content-Type:") }) {
        head += "Content-Type: application/json\r\n"
      }
    }
    for field in fields { head += "\(field)\r\n" }
    let answer = try exchange(head + "\r\n" + content)
    let parsed = try #require(WireAnswer(Data(answer.utf8)), "\(answer)")
    let result = AdminResult(
      status: parsed.status, text: parsed.text,
      fields: Dictionary(parsed.fields.map { ($0.name.lowercased(), $0.value) }) { $1 })
    guard server.adminPort == server.port else { return result }
    let contradictions = try AdminDescription.shared.contradictions(method, path, result)
    #expect(contradictions == [], "\(method) \(path): \(result)")
    return result
  }

  /// A session, by its id.
  func makeSession(_ settings: String = "{}") throws -> String {
    let made = try ask("POST", "/__stubdb/sessions", settings)
    #expect(made.status == 201, "\(made)")
    return made.text("id")
  }
}

/// A catalog with scenarios, in a folder that goes with it.
final class TestCatalog {
  let catalog: Catalog
  private let folder: URL

  init(_ documents: String...) throws {
    folder = try makeTemporaryFolder()
    catalog = try Catalog.create(at: folder.appendingPathComponent("shop.stubdb"))
    try catalog.edit { editor in
      for document in documents {
        try editor.insert(try ScenarioDocument.decode(Data(document.utf8)))
      }
    }
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }
}
#endif
