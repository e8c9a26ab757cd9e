internal import HTTPTypes
internal import StubDBJSON
import StubDBModel

extension DocumentNode {
  /// Reads events as the chunks of an event stream, and says its media type unless the document does.
  ///
  /// https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
  func readEvents(into response: inout WrittenResponse) throws(DocumentError) {
    if response.chunks != nil {
      throw failure(.conflict, "\"chunks\" and \"events\" are given together; choose one")
    }
    var pieces: [ResponseChunks.Piece] = []
    for node in try list("a list of events") { pieces.append(try node.event()) }
    if pieces.isEmpty { throw failure(.invalidValue, "the list of events is empty") }
    response.chunks = .pieces(pieces)
    if !response.headers.contains(.contentType) {
      response.headers[.contentType] = "text/event-stream"
    }
  }

  private func event() throws(DocumentError) -> ResponseChunks.Piece {
    let object = try object(.event)
    var text = ""
    if let name = object["event"] { text += "event: \(try name.fieldText())\n" }
    if let id = object["id"] { text += "id: \(try id.fieldText())\n" }
    if let retry = object["retry"] {
      text += "retry: \(Int(try retry.duration() / .milliseconds(1)))\n"
    }
    switch (object["data"], object["json"]) {
    case (let data?, nil): text += Self.dataLines(try data.string())
    case (nil, let json?): text += Self.dataLines(json.value.canonicalText)
    case (_?, let json?):
      throw json.failure(.conflict, "\"data\" and \"json\" are given together; choose one")
    case (nil, nil): break
    }
    if text.isEmpty {
      throw failure(
        .missingKey,
        "an event needs one of \"data\", \"json\", \"event\", \"id\" and \"retry\"")
    }
    return .init(.text(text + "\n"), after: try object["after"]?.duration() ?? .zero)
  }

  /// A text that is one line of the stream.
  private func fieldText() throws(DocumentError) -> String {
    let text = try string()
    if text.unicodeScalars.contains(where: { "\r\n\0".unicodeScalars.contains($0) }) {
      throw failure(
        .invalidValue, "an event has each of its fields on one line; leave line ends out")
    }
    return text
  }

  /// Each line of data by itself; a client joins them again.
  private static func dataLines(_ data: String) -> String {
    var lines = ""
    var line = ""
    var isAfterReturn = false
    for scalar in data.unicodeScalars {
      defer { isAfterReturn = scalar == "\r" }
      switch scalar {
      case "\n" where isAfterReturn: continue
      case "\r", "\n":
        lines += "data: \(line)\n"
        line = ""
      default: line.unicodeScalars.append(scalar)
      }
    }
    return lines + "data: \(line)\n"
  }
}
