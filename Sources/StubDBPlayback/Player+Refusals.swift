import Foundation
import HTTPTypes
import StubDBEngine

/// What requests get that no answer is carried out for.
extension Player {
  /// Why a request does not reach the real network; nil if it does.
  ///
  /// A stub or a closure may ask for the network, and so does the policy for unmatched requests.
  func refusalOfPassthrough(for event: ServeEvent, hasNetwork: Bool = true) -> ResponseFailure? {
    guard !hasNetwork || !(options.allowsPassthrough || options.unmatched == .passthrough) else {
      return nil
    }
    let request = "\(event.request.method) \(SecretDisplay.text(event.request.url))"
    let message =
      event.isMatched
      ? "\(origin(of: event)) passes \(request) on to the network, "
        + reasonAgainstPassthrough(for: event, hasNetwork: hasNetwork)
      : "No \(hasScenario ? "stub" : "closure") answers \(request), and the policy .passthrough leaves it to "
        + "the network, which this session does not have; answer the request, or use a StubInterceptor."
    note(.refusedPassthrough, message, event)
    return .refusedPassthrough(event, message: message)
  }

  private func reasonAgainstPassthrough(for event: ServeEvent, hasNetwork: Bool) -> String {
    let remedy =
      event.scenario == nil ? "have the closure return a response" : "give the stub a response"
    return hasNetwork
      ? "which this interceptor does not allow; make it with allowsPassthrough: true, or \(remedy)."
      : "which this session does not have; \(remedy), or use a StubInterceptor."
  }

  /// Why a WebSocket is not opened by a front end that has none.
  func refusalOfWebSocket(for event: ServeEvent) -> ResponseFailure {
    let request = "\(event.request.method) \(SecretDisplay.text(event.request.url))"
    let remedy =
      event.scenario == nil
      ? "have the closure return another response"
      : "start \"stubdb serve \(run.scenario.name)\", and have the client connect to it"
    let message =
      "\(origin(of: event)) answers \(request) with a WebSocket, which only a server plays; \(remedy)."
    note(.refusedWebSocket, message, event)
    return .refused(message: message)
  }

  /// Why a template that a closure returned is not sent.
  func refusalOfTemplate(_ event: ServeEvent) -> ResponseFailure {
    let message =
      "\(origin(of: event)) returned a template, which only a stub of a scenario can be; "
      + "have the closure put the values into the response itself, or make it a stub."
    note(.failedTemplate, message, event)
    return .refused(message: message)
  }

  /// The answer to an unmatched request; searches the catalog.
  func eventWithoutMatch(_ event: ServeEvent) -> ResponseEvent {
    let text = run.report(on: event).text
    switch options.unmatched.kind {
    case .respond(let status):
      let head = ResponseHead(
        status: status, headers: [.contentType: "text/plain; charset=utf-8"])
      return .whole(
        head, head.mayHaveContent(of: event.request.method) ? Data(text.utf8) : Data())
    case .fail, .passthrough:
      let message = options.isReportedElsewhere ? Self.heading(of: text) : text
      return .failure(.unmatched(event, message: message))
    }
  }

  /// The report in one line, for an error that is printed beside the whole report.
  package static func heading(of report: String) -> String {
    let lines = report.split(separator: "\n", omittingEmptySubsequences: false)
    let heading = lines.prefix { !$0.isEmpty }.map { $0.trimmingPrefix { $0 == " " } }
    return heading.joined(separator: " ") + "; the test reports what differs."
  }

  func origin(of event: ServeEvent) -> String {
    let key = event.stubKey ?? ""
    // The journal names a closure by its place in the source.
    return event.scenario.map { "stub \"\(key)\" of scenario \"\($0)\"" } ?? key
  }
}
