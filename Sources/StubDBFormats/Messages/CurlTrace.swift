internal import Foundation

/// What `curl -v` prints: lines that begin with `> ` are of the request, with `< ` of the response.
enum CurlTrace {
  static func recognizes(_ bytes: Data) -> Bool {
    let text = String(decoding: bytes.prefix(64 * 1024), as: UTF8.self)
    let lines = text.split(whereSeparator: \.endsLine)
    return lines.contains {
      $0.hasPrefix("> ") && HTTPMessages.RequestLine(String($0.dropFirst(2))) != nil
    }
      && lines.contains { $0.hasPrefix("< HTTP/") }
  }

  /// The scheme of the requests: a trace shows how a connection was made, and whether it was encrypted.
  ///
  /// Nil if its notes are missing.
  static func scheme(_ bytes: Data) -> String? {
    let text = String(decoding: bytes.prefix(64 * 1024), as: UTF8.self)
    let notes = text.split(whereSeparator: \.endsLine).filter { $0.hasPrefix("*") }
    let isEncrypted = notes.contains { note in
      ["SSL", "TLS", "ALPN", "port 443", ":443"].contains { note.contains($0) }
    }
    let isKnown = notes.contains { $0.contains("Connected to") || $0.contains("Trying ") }
    if isEncrypted { return "https" }
    return isKnown ? "http" : nil
  }

  /// The same as messages: without the marks of lines and the notes of curl.
  static func messages(_ bytes: Data) -> Data {
    var trace = CurlTraceReader(Data(bytes))
    return trace.messages()
  }
}

/// Takes the messages out of a trace, line by line; contents have no mark, and may look like anything.
private struct CurlTraceReader {
  private let bytes: Data
  private var place = 0
  private var output = Data()
  /// The status and the Content-Length of the response whose head is read.
  private var status = 0
  private var length: Int?

  /// Notes that curl prints after a content has begun.
  private static let notes = [
    "* Connection #", "* Closing connection", "* Issue another request", "* Ignoring the response",
    "* Connection state changed", "* transfer closed", "* Curl_", "* TLSv1", "* old SSL session",
    "* [HTTP/", "* Using Stream", "* Leftovers after chunking", "* Re-using existing",
    "* Added cookie", "* Replaced cookie", "* Found bundle", "* Please rewind", "* Trying ",
    "*   Trying ", "* Connected to", "* shutting down connection", "* abort upload",
    "* upload completely sent off", "* We are completely uploaded", "* Request completely sent off",
    "{ [", "} [",
  ]

  init(_ bytes: Data) {
    self.bytes = bytes
  }

  mutating func messages() -> Data {
    while place < bytes.count {
      let line = takeLine()
      let isOfResponse = line.first == UInt8(ascii: "<")
      guard isOfResponse || line.first == UInt8(ascii: ">") else { continue }
      var content = line.dropFirst()
      if content.first == 0x20 { content = content.dropFirst() }
      if content.last == 0x0D { content = content.dropLast() }
      output += content
      output.append(0x0A)
      guard isOfResponse else { continue }
      note(head: String(decoding: content, as: UTF8.self))
      if content.isEmpty, status >= 200 { takeContent() }
    }
    return output
  }

  private mutating func note(head line: String) {
    if let start = HTTPMessages.StatusLine(line) { (status, length) = (start.code, nil) }
    if line.lowercased().hasPrefix("content-length:") {
      length = Int(line.dropFirst("content-length:".count).trimmingCharacters(in: .whitespaces))
    }
  }

  private mutating func takeLine() -> Data {
    let end = bytes[place...].firstIndex(of: 0x0A) ?? bytes.count
    defer { place = min(end + 1, bytes.count) }
    return bytes[place..<end]
  }

  private mutating func takeContent() {
    while place < bytes.count, startsNote(bytes[place...]) { _ = takeLine() }
    if let length, length <= bytes.count - place {
      output += bytes[place..<place + length]
      output.append(0x0A)
      place += length
      // A note follows without a line end where the content has none.
      if place < bytes.count, !startsNote(bytes[place...]) { _ = takeLine() }
      return
    }
    let content = takeUnmeasuredContent()
    // The empty line after the head goes behind a length, because only that says where the content ends.
    output.removeLast()
    output += Data("Content-Length: \(content.count)\n\n".utf8) + content
    output.append(0x0A)
  }

  /// What stands before the next note or head.
  private mutating func takeUnmeasuredContent() -> Data {
    var content = Data()
    while place < bytes.count {
      let before = place
      let line = takeLine()
      if isMarked(line) {
        place = before
        break
      }
      guard let note = startOfNote(in: line) else {
        content += line
        if before + line.count < bytes.count { content.append(0x0A) }
        continue
      }
      content += line[..<note]
    }
    return content
  }

  /// Whether a line begins the head of another message.
  private func isMarked(_ line: Data) -> Bool {
    guard line.count > 2, let text = String(data: line.dropFirst(2), encoding: .utf8) else {
      return false
    }
    return line.starts(with: "> ".utf8) && HTTPMessages.RequestLine(text) != nil
      || line.starts(with: "< ".utf8) && HTTPMessages.StatusLine(text) != nil
  }

  private func startsNote(_ text: Data) -> Bool {
    Self.notes.contains { text.starts(with: $0.utf8) }
  }

  /// Where a note begins in a line; a content without a line end is followed by one at once.
  private func startOfNote(in line: Data) -> Data.Index? {
    if startsNote(line) { return line.startIndex }
    return ["* Connection #", "* Closing connection"].compactMap { note in
      line.range(of: Data(note.utf8))?.lowerBound
    }.min()
  }
}
