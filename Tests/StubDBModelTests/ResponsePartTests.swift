import Foundation
import StubDBDocuments
import StubDBJSON
import StubDBModel
import Testing

extension ResponsePart {
  /// The members of a response with this one and what it needs beside it.
  var sample: JSONObject {
    switch self {
    case .status: ["status": 402]
    case .headers: ["headers": ["A": ["1", "2"], "B": "3"]]
    case .json: ["json": [1, nil]]
    case .text: ["text": "a"]
    case .base64: ["base64": "/w=="]
    case .file: ["file": "a.txt"]
    case .delay: ["delay": ["uniform": ["1ms", "2ms"]]]
    case .chunks: ["chunks": ["count": 2, "over": "1s"], "text": "ab"]
    case .events: ["events": [["event": "paid", "data": "a"]]]
    case .throttle: ["throttle": "64kB/s"]
    case .webSocket: ["webSocket": ["frames": [["send": ["text": "a"]]]]]
    case .error: ["error": "timedOut"]
    case .fault: ["fault": "garbage"]
    case .afterBytes: ["afterBytes": 1, "error": "timedOut", "text": "ab"]
    case .repeat: ["repeat": 2]
    case .template: ["template": true, "text": "{{request.path}}"]
    case .callbacks: ["callbacks": [["request": ["url": "https://a.test/"], "times": 2]]]
    case .passthrough: ["passthrough": true]
    case .next: ["next": true]
    }
  }
}

/// Properties of every member of a response in the table, including those added later.
@Suite struct ResponsePartTests {
  private func response(_ members: JSONObject) throws -> StubResponse {
    let document: JSONValue = ["key": "a", "responses": [.object(members)]]
    let stub = try Stub(documentValue: document) { _ in Data("content".utf8) }
    return try #require(stub.responses.first)
  }

  @Test(arguments: ResponsePart.allCases)
  func everyPartIsReadAndWritten(part: ResponsePart) throws {
    let members = part.sample
    let response = try response(members)
    #expect(response != StubResponse())
    // A file is read into the document.
    var written = part == .file ? ["text": "content"] : members
    // Events are the chunks of a stream.
    if part == .events {
      written = [
        "headers": ["Content-Type": "text/event-stream"],
        "chunks": [["text": "event: paid\ndata: a\n\n"]],
      ]
    }
    #expect(response.jsonObject(includingBody: true) == written)
    var bare = members
    bare[part.rawValue] = nil
    let isNeeded = (try? self.response(bare)) == nil
    #expect(try isNeeded || self.response(bare) != response)
  }

  @Test(arguments: ResponsePart.allCases)
  func whatIsNeverSentIsRefused(part: ResponsePart) throws {
    let isRefused = (try? response(part.sample.merging(["fault": "never"]) { $1 })) == nil
    #expect(
      isRefused == (part.isSent || [.error, .afterBytes].contains(part) || isDelegation(part)))
  }

  @Test(arguments: ResponsePart.allCases, StubResponse.Delegation.allCases)
  func whatIsNeverUsedIsRefused(part: ResponsePart, delegation: StubResponse.Delegation) throws {
    guard !isDelegation(part) else { return }
    let members = part.sample.merging([delegation.rawValue: true]) { $1 }
    #expect(((try? response(members)) != nil) == part.isUsed(with: delegation))
  }

  @Test(arguments: ResponsePart.allCases)
  func whatAWebSocketHasNoUseForIsRefused(part: ResponsePart) throws {
    guard !isDelegation(part) else { return }
    let members = part.sample.merging(ResponsePart.webSocket.sample) { $1 }
    guard part != .template else {
      _ = try response(["template": true, "webSocket": [:]])
      return
    }
    #expect(((try? response(members)) != nil) == part.isUsedWithWebSocket)
  }

  private func isDelegation(_ part: ResponsePart) -> Bool {
    StubResponse.Delegation(rawValue: part.rawValue) != nil
  }
}
