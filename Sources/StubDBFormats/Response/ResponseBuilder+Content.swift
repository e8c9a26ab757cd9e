internal import Foundation
internal import HTTPTypes
internal import StubDBEngine
internal import StubDBModel

/// The content of answers, in its most readable form: JSON, text, bytes.
extension ResponseBuilder {
  /// Sets the content of a recording.
  mutating func set(_ body: RecordedBody) {
    switch body {
    case .none, .form, .multipart: break
    case .missing(let count):
      let size = count.map { "\($0) bytes were received" } ?? "its size is not known"
      recording?.add(
        .dropped, .noBody,
        "The recording holds no body for this answer (\(size)); the stub answers without one")
    case .text(let text): setText(text)
    case .source(let text): text.withUTF8 { setText($0) }
    case .bytes(let data): setBytes(data)
    }
  }

  /// Sets a text as content: as JSON where the answer says so and it is, as pieces where it is a recorded event stream.
  mutating func setText(_ text: String) {
    var text = text
    text.withUTF8 { setText(UnsafeRawBufferPointer($0)) }
  }

  /// Does the same with UTF-8.
  mutating func setText(_ text: UnsafeRawBufferPointer) {
    guard !text.isEmpty else { return }
    if let recording, UTF8Bytes.endOfASCII(text, from: 0) < text.count {
      checkCharacters(text, recording)
    }
    let type = header("Content-Type")?.lowercased() ?? ""
    if let recording, type.hasPrefix("text/event-stream") {
      content = .events(Self.events(of: String(decoding: text, as: UTF8.self)))
      recording.add(
        .changed, .streamTiming,
        "An event stream was recorded as one text; cut at blank lines, without their times")
    } else if let json = texts.json(Data(text), type: type) {
      content = .json(json)
    } else {
      content = .body(ResponseBody(kind: .text, content: .bytes(Data(text))))
    }
  }

  /// Sets bytes as content: as text in UTF-8, or in the character encoding that a recorded answer says.
  mutating func setBytes(_ bytes: Data) {
    let isUTF8 = bytes.withUnsafeBytes { buffer in
      guard UTF8Bytes.isValid(buffer) else { return false }
      if buffer.isPlainText {
        setText(buffer)
      } else {
        content = .body(.data(bytes))
      }
      return true
    }
    guard !isUTF8 else { return }
    if let recording, let text = transcoded(bytes, recording) {
      setText(text)
    } else {
      content = .body(.data(bytes))
    }
  }

  /// Sets bytes in the coding that the header fields say, as content without it.
  mutating func setCodedBytes(_ bytes: Data) {
    var bytes = bytes
    if let coding = header("Content-Encoding"),
      let decoded = try? Self.decoded(bytes, coding: coding)
    {
      bytes = decoded
      removeHeader("Content-Encoding")
    }
    setBytes(bytes)
  }

  /// Sets content that is written in base64.
  ///
  /// - Throws: ``Unanswerable`` for a text that is not base64.
  mutating func setBase64(_ text: String) throws {
    guard let bytes = Base64Text.decoded(text) else {
      throw Unanswerable("its content is not base64")
    }
    setCodedBytes(bytes)
  }

  /// Sets a file beside the input as content.
  mutating func setFile(
    _ name: String, at value: SourceValue, of input: ImportInput
  ) throws(FormatError) {
    guard let folder = input.folder else {
      throw value.failure("the file \"\(name)\" cannot be read here; import from a file")
    }
    setCodedBytes(try folder.read(name, from: input.directory) { value.failure($0) })
  }

  /// Bytes without their coding.
  static func decoded(
    _ bytes: Data, coding: String, limit: Int = ContentDecoding.maximumByteCount
  ) throws(ContentDecodingError) -> Data {
    var fields = HTTPFields()
    fields[.contentEncoding] = coding
    return try ContentDecoding.content(bytes, headers: fields, limit: limit)
  }
}

// MARK: - Recorded contents

extension ResponseBuilder {
  /// The bytes as text in the character encoding that the answer says; nil if they are no text.
  private mutating func transcoded(_ data: Data, _ recording: ReportSource) -> String? {
    guard let type = header("Content-Type"), let charset = Charset(contentType: type),
      let text = charset.decode(data), text.isPlainText
    else { return nil }
    replace(charset, in: type, recording)
    return text
  }

  /// Says what the characters beyond ASCII show: another character encoding, damages.
  private mutating func checkCharacters(
    _ text: UnsafeRawBufferPointer, _ recording: ReportSource
  ) {
    if let type = header("Content-Type"), let charset = Charset(contentType: type),
      !charset.isUTF8
    {
      replace(charset, in: type, recording)
    }
    let damages = text.countOfReplacementCharacters
    if damages > 0 {
      recording.add(
        .changed, .damaged,
        "The recorder damaged the content (\(damages) replacement characters); kept as it is")
    }
  }

  private mutating func replace(_ charset: Charset, in type: String, _ recording: ReportSource) {
    replaceHeader("Content-Type", charset.replaced(in: type))
    recording.add(
      .changed, .charset,
      "Content in \(charset.name) is stored as UTF-8; the charset of Content-Type was changed")
  }

  /// An event stream, cut after each blank line.
  private static func events(of text: String) -> [String] {
    var events: [String] = []
    var event = ""
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for line in lines.dropLast() {
      event += line + "\n"
      if line.isEmpty || line == "\r" {
        events.append(event)
        event = ""
      }
    }
    event += lines.last ?? ""
    if !event.isEmpty { events.append(event) }
    return events
  }
}

extension Sequence<UInt8> {
  /// Whether the text has no control characters but tabs and line ends.
  var isPlainText: Bool {
    allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
  }
}

extension UnsafeRawBufferPointer {
  /// How many times U+FFFD is in the text.
  fileprivate var countOfReplacementCharacters: Int {
    var count = 0
    var place = 0
    while place + 3 <= self.count {
      if self[place] == 0xEF, self[place + 1] == 0xBF, self[place + 2] == 0xBD { count += 1 }
      place += 1
    }
    return count
  }
}
