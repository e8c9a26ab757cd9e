import Foundation
import HTTPTypes
import StubDBEngine

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Makes the response that Foundation hands to the client.
struct ResponseBuilder: Sendable {
  let status: Int
  let headers: HTTPFields
  /// How the content is cut, and what comes after it; nil for whole and nothing.
  var plan: ResponsePlan?
  let method: String
  let url: URL
  /// The heads that were made before; nil to make one anew.
  var heads: AnswerHeads?

  /// Whether the method and the status allow any content.
  ///
  /// https://www.rfc-editor.org/rfc/rfc9110#section-6.4.1
  var mayHaveContent: Bool {
    guard method != "HEAD" else { return false }
    switch status {
    case 100..<200, 204, 205, 304: return false
    default: return true
    }
  }

  /// Whether the content may have to be decoded.
  var isEncoded: Bool { headers.contains(.contentEncoding) }

  /// The answer, with content where the method and the status allow any.
  func answer(content: Data?) -> Answer {
    guard let head else {
      return .failure(
        AnswerErrors.invalidResponse(
          "Foundation makes no response of status \(status) for \(SecretDisplay.text(url.absoluteString)); check the "
            + "stub's status and header fields.", url: url))
    }
    let sent: Data?
    do {
      sent = mayHaveContent ? try content.map(selected) : nil
    } catch {
      return .failure(AnswerErrors.undecodableContent("\(error)", url: url))
    }
    guard let plan, !plan.pieces.isEmpty || plan.ending != .complete else {
      return .response(head, sent)
    }
    return .pieces(
      PiecewiseAnswer(
        head: head,
        pieces: Self.cut(sent ?? Data(), into: plan.pieces, isComplete: plan.ending == .complete),
        ending: ending(plan.ending)
      ))
  }

  private var head: AnswerHead? {
    guard let heads else { return makeHead() }
    return heads.head(
      forURL: url.absoluteString, status: status, headers: headers, make: makeHead)
  }

  private func makeHead() -> AnswerHead? {
    var fields = joinedFields
    PlatformURLProtocol.adjust(&fields, status: status)
    let response = HTTPURLResponse(
      url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)
    return response.map {
      AnswerHead($0, setsCookies: headers.contains(.setCookie), location: headers[.location])
    }
  }

  /// The range of the content that is asked for, or else all of it, decoded as a client's loader would.
  private func selected(_ content: Data) throws(ContentDecodingError) -> Data {
    guard let range = plan?.contentRange else {
      return isEncoded ? try ContentDecoding.content(content, headers: headers) : content
    }
    let bounds = range.clamped(to: 0..<content.count)
    return Data(content.dropFirst(bounds.lowerBound).prefix(bounds.count))
  }

  /// A slice keeps the indices of the whole, which few clients expect: each piece is a value of its own.
  private static func cut(
    _ content: Data, into pieces: [ResponsePlan.Piece], isComplete: Bool
  ) -> [(after: Duration, content: Data)] {
    if pieces.isEmpty { return content.isEmpty ? [] : [(.zero, content)] }
    var rest = content[...]
    return pieces.enumerated().map { index, piece in
      // What is decoded is longer than what the pieces were made for.
      let takesAll = isComplete && index == pieces.count - 1
      let taken = takesAll ? rest : rest.prefix(max(0, piece.byteCount))
      rest = rest.dropFirst(taken.count)
      return (piece.after, Data(taken))
    }
  }

  private func ending(_ ending: ResponsePlan.Ending) -> PiecewiseAnswer.Ending {
    switch ending {
    case .complete: .complete
    case .never: .silence
    case .error(let error): .failure(AnswerErrors.stubbed(error, url: url))
    }
  }

  /// One value a name, since Foundation holds no more; `Set-Cookie` too, which Foundation takes apart again.
  private var joinedFields: [String: String] {
    if headers.count == 1, let only = headers.first { return [only.name.rawName: only.value] }
    // Only the canonical names tell which belong together.
    var lines: [String: (name: String, value: String)] = [:]
    lines.reserveCapacity(headers.count)
    for field in headers {
      if lines[field.name.canonicalName]?.value.append(", " + field.value) == nil {
        lines[field.name.canonicalName] = (field.name.rawName, field.value)
      }
    }
    return Dictionary(lines.values.map { ($0.name, $0.value) }) { first, _ in first }
  }
}
