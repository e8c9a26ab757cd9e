#if Server
import HTTPTypes
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBServing

import struct Foundation.Data

extension Responder {
  /// Tells the writer what comes next of the answer.
  func deliver(_ event: ResponseEvent) {
    switch event {
    case .whole(let head, let content): give(head, content)
    case .head(let head): writer?.begin(begun(head))
    case .content(let content): writer?.append(content)
    case .finish: writer?.end(.complete)
    case .failure(let failure): give(failure)
    }
  }

  /// Gives a response that is there as a whole.
  func give(_ head: ResponseHead, _ content: Data) {
    var head = head
    if head.contentLength == nil { head.contentLength = content.count }
    head = begun(head)
    answer.sent?.expect(content)
    writer?.give(head, content)
  }

  /// The head as the client gets it; a redirect within the scenario leads to the same session.
  func begun(_ head: ResponseHead) -> ResponseHead {
    answer.hasBegun = true
    answer.entry?.status = head.status
    var head = server.options.explainsAnswers ? explained(head) : head
    answer.crossOrigin?.allow(&head.headers)
    if answer.isForBrowser, PageSandbox.mayBePage(head.headers) {
      head.headers.append(HTTPField(name: .contentSecurityPolicy, value: PageSandbox.policy))
    }
    if let base = answer.base, let target = head.headers[.location],
      let location = location(of: target, from: base)
    {
      head.headers[.location] = location
    }
    if let recording = server.recording, recording.settings.target != nil,
      let headers = ReversedCookies.adapted(head.headers, isSecure: isSecure)
    {
      head.headers = headers
      recording.noteChangedCookies()
    }
    if answer.event != nil || server.options.loggedContentSize > 0 {
      answer.sent = SentResponse(head)
    }
    return head
  }

  /// Where a redirect leads a client that calls this server instead of a host of the scenario; nil for where it says.
  private func location(of target: String, from base: ServedURL) -> String? {
    if target.hasPrefix("/"), !target.hasPrefix("//") {
      return base.prefix.isEmpty ? nil : base.prefix + target
    }
    guard target.contains("://"), let served = answer.served,
      served.origins.has(hostOf: target), let url = try? UpstreamURL(target)
    else { return nil }
    let fragment = target.firstIndex(of: "#").map { target[$0...] } ?? ""
    return base.text + url.target + fragment
  }

  /// The head with the stub and the response that it comes from.
  private func explained(_ head: ResponseHead) -> ResponseHead {
    guard let event = answer.event, let key = event.stubKey else { return head }
    var head = head
    let values = [
      ("StubDB-Scenario", event.scenario?.rawValue), ("StubDB-Stub", key),
      ("StubDB-Response", event.responseIndex.map { String($0 + 1) }),
    ]
    for (name, value) in values {
      guard let name = HTTPField.Name(name), let value else { continue }
      head.headers[name] = value
    }
    return head
  }

  /// Counts content that is written, and keeps its beginning for the journal and the log.
  func note(_ content: Data) {
    answer.entry?.responseByteCount += content.count
    answer.sent?.add(content)
  }

  private func give(_ failure: ResponseFailure) {
    guard let served = answer.served else {
      writer?.end(.close)
      return
    }
    switch FailureOnWire(failure, unmatchedStatus: served.unmatchedStatus) {
    case .response where answer.hasBegun:
      // Half of the response is there, so that a second one would be taken for its content.
      writer?.end(.close)
    case .response(let head, let content):
      if case .unmatched(let event, _) = failure { answer.entry?.event = event }
      answer.entry?.remark = Self.remark(failure)
      give(head, content)
    case .ending(let ending, let remark):
      answer.entry?.remark = remark
      answer.entry?.fault = remark
      writer?.end(ending)
    case .substitute(let ending, let remark):
      answer.entry?.remark = remark
      if case .stubbed(let error, _) = failure {
        answer.entry?.fault = FailureOnWire.name(of: error)
      }
      if let event = answer.event { served.player.run.remark(remark, on: event) }
      writer?.end(ending)
    }
  }

  private static func remark(_ failure: ResponseFailure) -> String? {
    switch failure {
    case .unmatched: "no stub answers"
    case .refusedPassthrough: "passthrough refused"
    case .unreadableContent(let message), .refused(let message): message
    case .stubbed(let error, nil): error.renderingMessage
    default: nil
    }
  }
}
#endif
