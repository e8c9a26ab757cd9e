import Foundation
import StubDBModel

/// The content of a request in the forms that patterns ask for, each made at most once.
final class PreparedBody {
  /// A form of the content, or why there is none.
  enum Form<Value> {
    case value(Value)
    /// The request has no content.
    case empty
    /// The content is there but does not have this form, and why.
    case malformed(String)
    /// The content cannot be seen, and why.
    case unknown(String)
  }

  let content: RequestBody
  private(set) lazy var text: Form<String> = makeText()
  private(set) lazy var json: Form<JSONValue> = makeJSON()

  init(_ content: RequestBody) {
    self.content = content
  }

  private func makeText() -> Form<String> {
    switch content {
    case .unknown(let reason): return .unknown(reason)
    case .bytes(let data) where data.isEmpty: return .empty
    case .bytes(let data):
      // Decoding repairs what is not UTF-8, and then the bytes differ; Foundation's strict decoding
      // would drop a byte order mark.
      let text = String(decoding: data, as: UTF8.self)
      return ByteText.isEqual(data, text) ? .value(text) : .malformed("not UTF-8 text")
    }
  }

  private func makeJSON() -> Form<JSONValue> {
    switch content {
    case .unknown(let reason): return .unknown(reason)
    case .bytes(let data) where data.isEmpty: return .empty
    case .bytes(let data):
      do throws(JSONSyntaxError) {
        return .value(try JSONValue(parsing: data))
      } catch {
        return .malformed("not JSON: \(error.message) (line \(error.line), column \(error.column))")
      }
    }
  }
}
