#if Server
import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBServing

/// A request to match, and with what.
struct MatchQuestion {
  enum Subject {
    case name(String, overlays: [String])
    case document(Scenario)
  }

  let subject: Subject
  let request: StubRequest

  init(_ object: DocumentObject) throws(DocumentError) {
    let overlays = object["overlays"]
    if let node = object["document"] {
      if let overlays {
        throw overlays.failure(.invalidValue, "overlays go with \"scenario\"")
      }
      subject = .document(try node.scenarioDocument())
    } else {
      subject = .name(
        try object.required("scenario").string(), overlays: try overlays?.overlays() ?? [])
    }
    request = try object.required("request").stubRequest()
  }
}

extension DocumentNode {
  fileprivate func scenarioDocument() throws(DocumentError) -> Scenario {
    do throws(DocumentError) {
      return try ScenarioDocument.decode(Data(value.canonicalText.utf8))
    } catch {
      throw DocumentError(
        error.code, pointer: JSONPointer(["document"] + error.pointer.tokens),
        message: error.message)
    }
  }

  /// `[[name, value]]`.
  private func requestHeaders() throws(DocumentError) -> HTTPFields {
    var given: [(name: String, value: String)] = []
    for pair in try list("a list of pairs of name and value") {
      let words = try pair.list("a name and a value")
      guard words.count == 2 else {
        throw pair.failure(.invalidValue, "expected the name and the value of a header field")
      }
      given.append((try words[0].string(), try words[1].string()))
    }
    do throws(HeaderFieldsError) {
      return try StubRequest.headers(given)
    } catch {
      throw failure(.invalidValue, error.reason)
    }
  }

  /// `{"method", "url", "headers": [[name, value]], "text" | "json" | "base64"}`.
  fileprivate func stubRequest() throws(DocumentError) -> StubRequest {
    let object = try object(
      DocumentObjectKind("a request", ["method", "url", "headers", "text", "json", "base64"]))
    var request = StubRequest(url: try object.required("url").string())
    if let node = object["method"] { request.method = try node.string() }
    if let node = object["headers"] { request.headers = try node.requestHeaders() }
    if let node = object["text"] { request.body = .bytes(Data(try node.string().utf8)) }
    if let node = object["json"] { request.body = .bytes(Data(node.value.canonicalText.utf8)) }
    if let node = object["base64"] {
      guard let data = Data(base64Encoded: try node.string()) else {
        throw node.failure(.invalidValue, "this is not base64")
      }
      request.body = .bytes(data)
    }
    return request
  }
}
#endif
