package import Foundation
internal import HTTPTypes
package import StubDBDocuments
package import StubDBEngine
package import StubDBFormats
internal import StubDBJSON
internal import StubDBModel
package import StubDBPlayback
package import StubDBServing

/// Sends the requests of an `.http` file through one run of a scenario, one after another.
package struct HTTPFilePlayer {
  /// A request and the answer to it.
  package struct Result {
    package let source: HTTPFile.Request
    package let request: StubRequest
    package let answer: PlayedAnswer

    /// The request and what it gets, for programs.
    package var json: OrderedJSON {
      let members: [(String, OrderedJSON)] = [
        ("name", .string(source.name)), ("method", .string(request.method)),
        ("url", .string(SecretDisplay.text(request.url))),
      ]
      return .object(members + answer.jsonMembers)
    }
  }

  private let player: Player
  private let readFile: (String) throws -> Data
  private var values: HTTPFileValues

  /// - Parameters:
  ///   - player: The run that answers.
  ///   - values: The values of placeholders.
  ///   - readFile: Reads a file that a request names; its error is the end of a sentence.
  package init(
    _ player: Player, values: HTTPFileValues, readFile: @escaping (String) throws -> Data
  ) {
    self.player = player
    self.values = values
    self.readFile = readFile
  }

  /// Sends a request.
  ///
  /// - Throws: `HTTPFileError` with the line for a placeholder without a value, and a URL, a method or
  ///   a header field that cannot be sent.
  package mutating func play(_ source: HTTPFile.Request) throws -> Result {
    values.beginRequest()
    let request = try request(source)
    let answer = try PlayedAnswer(to: request, from: player)
    keep(
      source, request,
      response: answer.head.map { head in
        HTTPFileValues.Message(headers: head.headers, content: answer.content)
      })
    return Result(source: source, request: request, answer: answer)
  }

  private mutating func keep(
    _ source: HTTPFile.Request, _ request: StubRequest, response: HTTPFileValues.Message?
  ) {
    guard let name = source.name, case .bytes(let content) = request.body.kind else { return }
    values.keep(
      HTTPFileValues.Exchange(
        request: HTTPFileValues.Message(headers: request.headers, content: content),
        response: response), of: name)
  }

  // MARK: The request

  private mutating func request(_ source: HTTPFile.Request) throws -> StubRequest {
    var headers = HTTPFields()
    for header in source.headers {
      let (name, value) = (
        try values.resolve(header.name, line: header.line),
        try values.resolve(header.value, line: header.line)
      )
      guard let name = HTTPField.Name(name) else {
        throw HTTPFileError(
          line: header.line,
          Self.isRequestLine(name)
            ? "a request begins here; separate requests by a line ###"
            : "\"\(name)\" is not the name of a header field")
      }
      headers.append(HTTPField(name: name, value: value))
    }
    guard HTTPRequest.Method(source.method) != nil else {
      throw HTTPFileError(
        line: source.line, "\"\(source.method)\" is not a method, such as GET")
    }
    return StubRequest(
      method: source.method, url: try url(source, headers), headers: headers,
      body: .bytes(try content(source, headers)))
  }

  /// Whether the text before a colon is that of a line such as `GET https://api.shop.test/`.
  private static func isRequestLine(_ name: String) -> Bool {
    let words = name.split(separator: " ")
    return words.count == 2 && words[0].allSatisfy { $0.isASCII && $0.isUppercase }
  }

  /// The URL; a path alone takes its origin from the `Host` field, as JetBrains' client does, or else from the scenario,
  /// as with `match`.
  private mutating func url(
    _ source: HTTPFile.Request, _ headers: HTTPFields
  ) throws -> String {
    var url = try values.resolve(source.url, line: source.line)
    if url.hasPrefix("/"), let host = HTTPField.Name("Host").flatMap({ headers[$0] }) {
      url = (host.contains("://") ? host : "http://" + host) + url
    } else if !url.contains("://"), !url.hasPrefix("/") {
      url = "http://" + url
    }
    url = url.replacing(" ", with: "%20")
    if url.hasPrefix("/") { url = player.run.scenario.url(of: url) }
    guard let parts = URLParts(url), url.hasPrefix("/") || parts.scheme != nil && parts.host != nil
    else {
      throw HTTPFileError(
        line: source.line,
        "\"\(SecretDisplay.text(url))\" is not an absolute URL, "
          + "such as https://api.shop.test/v1/me")
    }
    return url
  }

  private mutating func content(
    _ source: HTTPFile.Request, _ headers: HTTPFields
  ) throws -> Data {
    var data = Data()
    for (index, piece) in source.body.enumerated() {
      if index > 0 { data.append(UInt8(ascii: "\n")) }
      switch piece {
      case .text(let text):
        data.append(contentsOf: try values.resolve(text, line: source.line).utf8)
      case .file(let path, let isTemplate, let line):
        let path = try values.resolve(path, line: line)
        let bytes: Data
        do {
          bytes = try readFile(path)
        } catch {
          throw HTTPFileError(line: line, "cannot read \(path): \(error)")
        }
        data +=
          isTemplate
          ? Data(try values.resolve(String(decoding: bytes, as: UTF8.self), line: line).utf8)
          : bytes
      }
    }
    return Self.adjusted(data, to: headers[.contentType] ?? "")
  }

  /// A form may be written over several lines; the lines of a multipart content end with CR LF.
  private static func adjusted(_ content: Data, to type: String) -> Data {
    let type = type.lowercased()
    if type.hasPrefix("application/x-www-form-urlencoded") {
      return Data(content.filter { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") })
    }
    guard type.hasPrefix("multipart/") else { return content }
    var result = Data(capacity: content.count)
    for byte in content {
      if byte == UInt8(ascii: "\n"), result.last != UInt8(ascii: "\r") {
        result.append(UInt8(ascii: "\r"))
      }
      result.append(byte)
    }
    return result
  }
}
