import HTTPTypes
import StubDBDocuments
import StubDBJSON
import StubDBJobs
import StubDBModel
import StubDBSupport

/// A response as text: a headline, then header fields and content; on a terminal long content is shortened.
struct ResponseView {
  /// How many lines of content are shown on a terminal.
  static let maximumLines = 12

  /// The longest JSON that is shown on one line.
  static let maximumCompactLength = 60

  let response: StubResponse

  var headline: String {
    let parts = [ResponsePart.repeat, .template].compactMap { $0.phrase(of: response) }
    let delay = ResponsePart.delay.phrase(of: response).map { " \($0)" } ?? ""
    return ([outcome + delay] + parts).joined(separator: ", ")
  }

  /// Header fields, content and the speed of both, one per line.
  var details: [String] { ResponsePart.all.flatMap(details) }

  var fields: [String] {
    response.headers.map { "\($0.name.rawName): \(TerminalText.line($0.value))" }
  }

  /// What the headline does not say of a part.
  private func details(of part: ResponsePart) -> [String] {
    switch part {
    case .headers: return fields
    case .json: return response.body.map(Self.lines) ?? []
    case .chunks:
      guard case .pieces(let pieces) = response.chunks?.kind else { break }
      return pieces.flatMap { piece in
        ["piece after \(DurationText.text(piece.after)):"]
          + Self.lines(of: piece.body).map { "  " + $0 }
      }
    case .webSocket:
      return response.webSocket?.phrases(.view, content: Self.lines) ?? []
    case .callbacks: return part.phrase(of: response).map { [TerminalText.line($0)] } ?? []
    case .delay, .repeat, .template, .passthrough, .next: return []
    default: break
    }
    return part.phrase(of: response).map { [$0] } ?? []
  }

  private var outcome: String {
    let after = response.afterBytes.map { " after \(Plural.bytes($0)) of content" } ?? ""
    if let error = response.error { return "error \(Self.name(of: error))\(after)" }
    if let fault = response.fault { return "fault \(fault.rawValue)\(after)" }
    for part in [ResponsePart.next, .passthrough, .webSocket] {
      if let phrase = part.phrase(of: response) { return phrase }
    }
    let status = response.statusTemplate.map { TerminalText.value($0) } ?? String(response.status)
    return "status \(status)"
  }

  private static func name(of error: ResponseError) -> String {
    if error.domain == URLErrorNames.domain, let name = URLErrorNames.name(of: error.code) {
      return "\(name) (\(error.domain) \(error.code))"
    }
    return "\(TerminalText.line(error.domain)) \(error.code)"
  }

  /// Content as it is shown, on one or more lines.
  static func lines(of body: ResponseBody) -> [String] {
    guard case .bytes(let data) = body.content else {
      return ["(\(Plural.bytes(body.byteCount)), kept in the catalog)"]
    }
    let text: String
    switch body.kind {
    case .base64: return ["(\(Plural.bytes(data.count)) of binary content)"]
    case .json:
      guard let value = try? JSONValue(parsing: data) else { fallthrough }
      let compact = value.canonicalText
      let isShort = compact.count <= maximumCompactLength
      text = isShort ? compact : String(OrderedJSON.json(value).text.dropLast())
    case .text: text = String(decoding: data, as: UTF8.self)
    }
    var shown = TerminalText.lines(text).split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
    let more = shown.count - maximumLines
    guard Terminal.current.columns != nil, more > 0 else { return shown }
    shown.removeLast(more)
    shown.append(
      "… \(Plural.of(more, "more line")), \(Plural.bytes(data.count)) in all; "
        + "--json shows everything")
    return shown
  }
}
