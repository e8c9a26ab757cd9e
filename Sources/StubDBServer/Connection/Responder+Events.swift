#if Server
import HTTPTypes
import StubDBEngine
import StubDBPlayback

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
    var head = begun(head)
    if head.contentLength == nil { head.contentLength = content.count }
    writer?.give(head, content)
  }

  /// The head as the client gets it; a redirect within the server leads to the same session.
  func begun(_ head: ResponseHead) -> ResponseHead {
    answer.hasBegun = true
    answer.entry?.status = head.status
    guard !answer.prefix.isEmpty, let target = head.headers[.location], target.hasPrefix("/"),
      !target.hasPrefix("//")
    else { return head }
    var head = head
    head.headers[.location] = answer.prefix + target
    return head
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
      writer?.end(ending)
    case .substitute(let ending, let remark):
      answer.entry?.remark = remark
      if let event = answer.event { served.player.run.remark(remark, on: event) }
      writer?.end(ending)
    }
  }

  private static func remark(_ failure: ResponseFailure) -> String? {
    switch failure {
    case .unmatched: "no stub answers"
    case .refusedPassthrough: "passthrough refused"
    case .unreadableContent(let message), .refused(let message): message
    default: nil
    }
  }
}
#endif
