#if Server
import Foundation
import HTTPTypes
import StubDBDocuments
import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBPlayback

/// How an answer ends on a connection.
enum WireEnding: Equatable {
  /// The connection stays if both sides want that.
  case complete
  /// The connection ends, with what was sent before.
  case close
  case reset
  /// Bytes that are not HTTP, and then the end.
  case garbage
  /// Nothing more, until the client goes.
  case silence
}

/// What a client gets instead of a response, or of the rest of one.
enum FailureOnWire {
  /// The end of the connection, which is what the stub says.
  case ending(WireEnding, remark: String)
  /// What comes nearest to an error that no connection can show, and the explanation for the journal.
  case substitute(WireEnding, remark: String)
  /// A response of the server itself.
  case response(ResponseHead, Data)

  init(_ failure: ResponseFailure, unmatchedStatus: Int) {
    switch failure {
    case .stubbed(_, let fault?):
      self = .ending(Self.ending(of: fault), remark: fault.rawValue)
    case .stubbed(let error, nil):
      self = Self.ending(of: error)
    case .unmatched(let event, let report):
      self = Self.unmatched(event, report, unmatchedStatus)
    case .refusedPassthrough(let event, _):
      guard event.isMatched else {
        self.init(
          problem: 502, "No stub answers the request",
          "What no stub answers is passed on only with --allow-passthrough.")
        return
      }
      let stub = "stub \"\(event.stubKey ?? "")\" of \(event.scenario?.rawValue ?? "a closure")"
      self.init(
        problem: 502, "The stub asks for the real network",
        "The \(stub) passes the request on to the network, which this server does only with "
          + "--allow-passthrough.")
    case .thrown(let error):
      self.init(problem: 500, "The closure failed", "\(error)")
    case .refused(let message), .unreadableContent(let message), .undecodableContent(let message):
      self.init(problem: 500, "The answer cannot be given", message)
    case .timedOut: self = .ending(.silence, remark: "timedOut")
    case .ended: self.init(problem: 503, "The run has ended", "The server is ending.")
    }
  }

  private init(problem status: Int, _ title: String, _ detail: String) {
    let (head, content) = Self.problem(status, title, detail)
    self = .response(head, content)
  }

  private static func ending(of fault: ResponseFault) -> WireEnding {
    switch fault.kind {
    case .connectionReset: .reset
    case .emptyResponse, .truncated: .close
    case .garbage: .garbage
    case .never: .silence
    }
  }

  /// What comes nearest to an error that only `URLSession` can give.
  private static func ending(of error: ResponseError) -> FailureOnWire {
    if let message = error.renderingMessage {
      return FailureOnWire(problem: 500, "The answer cannot be given", message)
    }
    let name = name(of: error)
    switch name {
    case "timedOut": return .ending(.silence, remark: name)
    case "cannotParseResponse", "badServerResponse": return .ending(.garbage, remark: name)
    case "networkConnectionLost": return .ending(.reset, remark: name)
    default:
      return .substitute(
        .reset, remark: "connection reset, because a client cannot be shown \(name) over a network")
    }
  }

  /// The name of an error of `URLSession`, or the domain and the code of another one.
  static func name(of error: ResponseError) -> String {
    let known = error.domain == URLErrorNames.domain ? URLErrorNames.name(of: error.code) : nil
    return known ?? "\(error.domain) \(error.code)"
  }

  /// The report, as a problem for clients that ask for one.
  ///
  /// https://www.rfc-editor.org/rfc/rfc9457
  private static func unmatched(
    _ event: ServeEvent, _ report: String, _ status: Int
  ) -> FailureOnWire {
    var (head, content) = Self.report(on: event, report, status)
    if let name = HTTPField.Name("StubDB-Unmatched") { head.headers[name] = "1" }
    return .response(head, content)
  }

  private static func report(
    on event: ServeEvent, _ report: String, _ status: Int
  ) -> (ResponseHead, Data) {
    let isProblem = event.request.headers[.accept]?.contains("application/problem+json") == true
    guard isProblem else {
      return response(status, "text/plain; charset=utf-8", Data((report + "\n").utf8))
    }
    let nearest = event.nearMisses.map { miss in
      JSONValue.object([
        "scenario": .string(miss.scenario.rawValue), "key": .string(SecretDisplay.text(miss.key)),
        "pattern": .string(SecretDisplay.text(miss.pattern)),
      ])
    }
    return problem(
      status, "No stub answers the request", report, ["nearest": .array(nearest)])
  }

  /// A problem as JSON.
  static func problem(
    _ status: Int, _ title: String, _ detail: String, _ members: JSONObject = [:]
  ) -> (ResponseHead, Data) {
    let standard: JSONObject = [
      "title": .string(title), "status": .number(JSONNumber(status)), "detail": .string(detail),
    ]
    let value = JSONValue.object(standard.merging(members) { first, _ in first })
    return response(status, "application/problem+json", Data((value.canonicalText + "\n").utf8))
  }

  private static func response(
    _ status: Int, _ type: String, _ content: Data
  ) -> (ResponseHead, Data) {
    var head = ResponseHead(status: status, headers: [.contentType: type])
    head.contentLength = content.count
    return (head, content)
  }
}

extension ResponseError {
  /// Why the templates of an answer could not be filled in; nil for an error of any other kind.
  var renderingMessage: String? {
    guard domain == "StubDB", code == RenderingError.code,
      case .string(let text)? = userInfo["NSLocalizedDescription"]
    else { return nil }
    return text
  }
}
#endif
