public import Foundation
public import HTTPTypes
public import StubDBEngine

/// What a client got for a request.
public struct ConformanceAnswer: Sendable {
  /// The status code.
  public var status: Int
  /// The header fields in order.
  public var fields: [(name: String, value: String)]
  /// The content, without the coding that its header fields name.
  public var content: Data

  /// Makes what a client got.
  public init(status: Int, fields: [(name: String, value: String)], content: Data) {
    (self.status, self.fields, self.content) = (status, fields, content)
  }

  /// Makes what a client of swift-http-types got.
  public init(_ response: HTTPResponse, content: Data) {
    self.init(
      status: response.status.code,
      fields: response.headerFields.map { ($0.name.rawName, $0.value) }, content: content)
  }
}

/// What a client gets in place of an answer, or of a part of it; each front end has errors of its own for it.
public enum ConformanceFailure: Sendable {
  /// Nothing answers the request.
  case unmatched
  /// The stub leaves the answer to the network, which the front end does not ask.
  case passthrough
  /// The answer never comes.
  case silence
  /// An error of the stub, in the words of Foundation.
  case error(domain: String, code: Int)
}

extension ConformanceCase {
  /// Sends the requests of the row that swift-http-types can represent, and returns what differs; empty if nothing does.
  ///
  /// `send` gets each request with its content. `journal` is that of the run, and `isExpected` says whether an error of
  /// the client is the one for a failure.
  public func differences(
    journal: @autoclosure () -> [ServeEvent],
    isExpected: (any Error, ConformanceFailure) -> Bool,
    sending send: (HTTPRequest, ConformanceRequest, Data) async throws -> ConformanceAnswer
  ) async -> [String] {
    var (found, sent) = ([String](), 0)
    for step in steps {
      guard let request = step.request.httpRequest, case .bytes(let content) = step.request.body
      else { continue }
      sent += 1
      var differences: [String]
      do {
        let answer = try await send(request, step.request, content)
        differences = step.outcome.differences(from: answer)
      } catch {
        let isRight = step.outcome.failure.map { isExpected(error, $0) } ?? false
        differences = isRight ? [] : ["expected \(step.outcome), got the error \(error)"]
      }
      let event = journal().last
      if event?.stubKey != step.outcome.stub {
        differences.append("answered by \(event?.stubKey ?? "no stub")")
      }
      found += differences.map { "\(step.request.method) \(step.request.url): \($0)" }
    }
    if journal().count != sent {
      found.append("\(sent) requests, \(journal().count) in the journal")
    }
    return found
  }
}

extension ConformanceOutcome {
  /// The stub that answers; nil if none does.
  var stub: String? {
    switch self {
    case .response(let stub, _, _, _, _), .pieces(let stub, _, _, _), .silence(let stub),
      .passthrough(let stub), .error(let stub, _, _):
      stub
    case .unmatched: nil
    }
  }

  /// What the client gets as an error; nil if it gets a whole answer.
  var failure: ConformanceFailure? {
    switch self {
    case .response, .pieces(_, _, _, error: nil): nil
    case .pieces(_, _, _, error: let code?): .error(domain: NSURLErrorDomain, code: code)
    case .silence: .silence
    case .passthrough: .passthrough
    case .error(_, let domain, let code): .error(domain: domain, code: code)
    case .unmatched: .unmatched
    }
  }

  func differences(from answer: ConformanceAnswer) -> [String] {
    let (status, fields, text): (Int, [String: [String]], String)
    switch self {
    case .response(_, let expected, let headers, let body, _):
      (status, fields, text) = (expected, headers, body)
    case .pieces(_, let body, _, error: nil): (status, fields, text) = (200, [:], body)
    default: return ["expected \(self), got status \(answer.status)"]
    }
    var found: [String] = []
    if answer.status != status { found.append("status \(answer.status), not \(status)") }
    for (name, values) in fields.sorted(by: { $0.key < $1.key }) {
      let got = answer.fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
      if got != values { found.append("\(name) is \(got), not \(values)") }
    }
    let got = String(decoding: answer.content, as: UTF8.self)
    if got != text { found.append("content \(got.debugDescription), not \(text.debugDescription)") }
    return found
  }
}
