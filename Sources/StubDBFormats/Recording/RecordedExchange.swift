package import Foundation
internal import StubDBSupport

/// A request and what came of it, as a recorder saw them.
package struct RecordedExchange {
  /// What came of a request.
  package enum Outcome {
    case answer(RecordedAnswer)
    /// An error, in the words of the recorder.
    case failure(String)
    /// Nothing was recorded.
    case none
  }

  /// The method as it was sent.
  package var method: String
  /// The URL as it was recorded.
  package var url: String
  package var requestHeaders: RecordedHeaders = RecordedHeaders()
  package var requestBody = RecordedBody.none
  package var outcome: Outcome
  /// The seconds at which the request was sent, from any moment on; nil keeps the order of the file.
  package var time: Double?
  /// The number among the exchanges of a recording, in the order in which they were sent.
  package var number = 0
  /// The time until the answer began, and the time it took to arrive; nil if they were not recorded.
  package var wait: Duration?
  package var receive: Duration?
  /// The name that a person gave the request; becomes the key of its stub.
  package var name: String?
  /// The day on which it was recorded, `2026-11-21`; nil if that is not known.
  package var recordedDay: String?
  /// Names of header fields that stubs match, because the recorder does, too.
  package var matchedHeaders: [String] = []
  /// Whether the recorder answers no request that has other parameters, too.
  package var comparesWholeQuery = false
  /// Header fields that the request must not have.
  package var absentHeaders: [String] = []
  /// The names of the page, the folder or the test; become a scenario if one is wanted for each.
  package var group: [String] = []
  /// Whether only browsers make such requests: images, scripts, preflights.
  package var isBrowserNoise = false
  /// The parts of the URL that the recorder put a name in place of.
  var placeholders = RecordedPlaceholders()
  /// Where the exchange is in the input, and where its answer is.
  package var source: ReportSource
  package var answerSource: ReportSource

  package init(
    method: String, url: String, outcome: Outcome, source: ReportSource,
    answerSource: ReportSource? = nil
  ) {
    self.method = method
    self.url = url
    self.outcome = outcome
    self.source = source
    self.answerSource = answerSource ?? source
  }
}

/// The answer of a server, as a recorder saw it.
package struct RecordedAnswer {
  package var status: Int
  package var headers: RecordedHeaders
  package var body: RecordedBody
  /// Whether a cache answered in place of the server.
  package var isFromCache = false
  /// How many bytes of the content clients get before the connection breaks off; nil if it did not.
  package var keptByteCount: Int?

  package init(
    status: Int, headers: RecordedHeaders = RecordedHeaders(), body: RecordedBody = .none
  ) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// The content of a message, as a recorder kept it.
package enum RecordedBody: Equatable {
  /// There was none.
  case none
  /// Text, in which a content coding is undone and the character encoding is known.
  case text(String)
  /// The same, still in the input: large recordings are not copied until they are needed.
  case source(SourceText)
  /// Bytes as they were sent, or as they were after decoding.
  case bytes(Data)
  /// Names and values of `application/x-www-form-urlencoded`.
  case form([RecordedHeaders.Field])
  /// The parts of `multipart/form-data`.
  case multipart([Part])
  /// There was content of so many bytes (nil if not even that is known), and it was not kept.
  case missing(byteCount: Int?)

  package struct Part: Equatable {
    package var name: String
    package var filename: String?
    package var contentType: String?
    /// Nil if it was not kept.
    package var content: Data?
  }
}

/// A text that stays in the input until it is needed.
package struct SourceText: Equatable {
  private let value: SourceValue

  /// Records that the value is kept; nil if it is no text, or empty.
  package init?(_ value: SourceValue) {
    guard value.isString, !value.isEmptyText else { return nil }
    value.keep()
    self.value = value
  }

  /// A copy of the text.
  package var text: String { value.peekedText ?? "" }

  /// Passes on the text as UTF-8.
  package func withUTF8<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try value.withUTF8(body)
  }

  package static func == (one: SourceText, other: SourceText) -> Bool {
    one.value.isSame(other.value) || one.text == other.text
  }
}

/// Header fields in order; names keep the case in which they were recorded.
package struct RecordedHeaders: Equatable {
  package struct Field: Equatable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package var fields: [Field] = []

  package init(_ fields: [Field] = []) {
    self.fields = fields
  }

  mutating func append(_ name: String, _ value: String) { fields.append(Field(name, value)) }

  /// Adds the field of a line `Name: value`; false for another line.
  @discardableResult
  mutating func append(line: String) -> Bool {
    guard let (name, value) = line.cut(at: ":") else { return false }
    append(
      name.trimmingCharacters(in: .whitespaces),
      value.trimmingCharacters(in: .whitespacesAndNewlines))
    return true
  }

  /// The values of a name, ignoring case.
  package subscript(values name: String) -> [String] {
    fields.filter {
      $0.name.utf8.count == name.utf8.count && $0.name.lowercased() == name.lowercased()
    }
    .map(\.value)
  }

  /// The first value of a name, ignoring case.
  package subscript(name: String) -> String? { self[values: name].first }

  /// The media type of the content in lower case, without parameters; nil without a Content-Type.
  package var mediaType: String? {
    self["Content-Type"].map {
      String($0.prefix { $0 != ";" && $0 != "," }).trimmingCharacters(in: .whitespaces).lowercased()
    }
  }
}
