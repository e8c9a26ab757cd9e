package import Foundation
import HTTPTypes
package import StubDBModel
import StubDBSupport

extension LoadedScenario {
  /// The latest recording of its stubs; nil if none says when it was recorded.
  package var latestRecording: Stub.Recording? {
    sources.lazy.compactMap(\.stub.recorded).max { $0.isBefore($1) }
  }

  /// The scenario on a day, with the dates of its answers some seconds later than recorded; templates, and contents
  /// that cannot be read, stay.
  package func moved(to shift: Int, on today: String?) -> LoadedScenario {
    var copy = self
    (copy.shift, copy.today) = (shift, today)
    guard shift != self.shift else { return copy }
    copy.stubs = CompiledStubs(stubs) { $0.moved(by: shift - self.shift) { try? body(of: $0) } }
    return copy
  }

  /// The request as it would have come on the day of the recording; nil if dates are not moved.
  func earlier(_ prepared: PreparedRequest) -> PreparedRequest? {
    if shift == 0 { return nil }
    let context = MatchContext(
      arrival: prepared.context.arrival - Double(shift), work: prepared.context.work)
    let earlier = PreparedRequest(prepared.request.moved(by: -shift), context: context)
    prepared.earlierSegments = earlier.segments
    return earlier
  }
}

extension StubResponse {
  /// The response with the dates of its header fields and content some seconds later.
  package func moved(by seconds: Int, _ read: (ResponseBody) -> Data?) -> StubResponse {
    guard !isTemplate else { return self }
    var moved = self
    moved.headers = headers.moved(by: seconds)
    let isText = ["json", "xml", "text/", "form-"].contains { headers.mediaType.contains($0) }
    func later(_ body: ResponseBody) -> ResponseBody {
      guard body.kind != .base64 || isText, let content = read(body),
        let later = headers.later(content, by: seconds)
      else { return body }
      return ResponseBody(kind: body.kind, content: .bytes(later))
    }
    if let body { moved.body = later(body) }
    if case .pieces(var pieces) = chunks?.kind {
      for index in pieces.indices { pieces[index].body = later(pieces[index].body) }
      moved.chunks = .pieces(pieces)
    }
    return moved
  }
}

extension StubRequest {
  /// The request with the dates of its URL, header fields and content some seconds later.
  func moved(by seconds: Int) -> StubRequest {
    var moved = self
    moved.url = DateMover.field(url, named: "", by: seconds)
    moved.headers = headers.moved(by: seconds)
    if let content, let later = headers.later(content, by: seconds) { moved.body = .bytes(later) }
    return moved
  }
}

extension HTTPFields {
  fileprivate var mediaType: String { self[.contentType]?.lowercased() ?? "" }

  /// The content under these fields with later dates; nil if none is moved.
  fileprivate func later(_ content: Data, by seconds: Int) -> Data? {
    guard self[.contentEncoding] == nil else { return nil }
    let isForm = mediaType.contains("form-url")
    let later = DateMover.content(content, isForm: isForm, by: seconds)
    // A form is read as one without its media type, too.
    return mediaType.isEmpty
      ? later ?? DateMover.content(content, isForm: true, by: seconds) : later
  }

  fileprivate func moved(by seconds: Int) -> HTTPFields {
    var moved = self
    for index in moved.indices {
      let (name, value) = (moved[index].name.canonicalName, moved[index].value)
      moved[index].value = DateMover.field(value, named: name, by: seconds)
    }
    return moved
  }
}
