import Foundation
import StubDBEngine
import StubDBModel

extension StubResponse {
  /// The response as a client gets it: with templates filled in, only the requested range, and without content for
  /// `HEAD`.
  func played(as plan: ResponsePlan, method: String) -> StubResponse {
    var played = self
    switch plan.action {
    case .response(let status, let headers, let body):
      let isAsWritten = status == self.status && plan.contentRange == nil && method != "HEAD"
      if isAsWritten, !isTemplate { return self }
      played.status = status
      played.headers = headers
      played.body = method == "HEAD" ? nil : body?.part(plan.contentRange)
      if isTemplate, case .pieces = chunks { played.chunks = nil }
    case .error(let failure) where isTemplate && error == nil && fault == nil:
      played = StubResponse(error: failure)
    default:
      return self
    }
    played.isTemplate = false
    played.statusTemplate = nil
    return played
  }
}

extension ResponseBody {
  /// Some of the body's bytes, decoded if they are text; all of them for nil, and for a body that is in the catalog.
  fileprivate func part(_ range: Range<Int>?) -> ResponseBody {
    guard let range, case .bytes(let data) = content else { return self }
    let bytes = Data(data.dropFirst(range.lowerBound).prefix(range.count))
    return String(data: bytes, encoding: .utf8).map(ResponseBody.text) ?? .data(bytes)
  }
}
