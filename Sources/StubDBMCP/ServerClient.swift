internal import Foundation
internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

/// Asks the admin API of a `stubdb serve` that runs.
///
/// One request a connection over a socket, so that no command loads Foundation's networking. Without a token it
/// connects to this machine's loopback only: a name that resolves to another machine could be under foreign control.
package struct ServerClient: Sendable {
  /// The longest answer that is read, in bytes.
  private static let largest = 64 << 20

  /// What stands in the `Host` field.
  private let authority: String
  private let host: String
  private let port: UInt16
  private let token: String?

  /// Parses an address such as `http://127.0.0.1:8080`; a path such as `/__stubdb/` may follow.
  ///
  /// - Throws: ``MCPError`` for anything else, and for another machine without a token.
  package init(_ address: String, token: String?) throws {
    guard let parts = URLParts(address), parts.scheme == "http", let host = parts.host,
      !host.isEmpty, (1...65_535).contains(parts.port ?? 80)
    else {
      throw MCPError(
        "the server \"\(address)\" is not an address such as http://127.0.0.1:8080"
      )
    }
    let bare = host.first == "[" ? String(host.dropFirst().dropLast()) : host
    let isLocal =
      bare == "localhost" || bare.hasSuffix(".localhost") || bare == "::1"
      || bare.wholeMatch(of: /127\.\d+\.\d+\.\d+/) != nil
    guard isLocal || token != nil else {
      throw MCPError(
        "the server \"\(address)\" is another machine's, and there is no token",
        hints: ["Give the token that it printed at its start: --token TOKEN, or STUBDB_TOKEN."])
    }
    if let token, token.contains(where: \.isNewline) {
      throw MCPError("the token has more than one line")
    }
    (self.token, port) = (token, UInt16(parts.port ?? 80))
    // Not every system knows names below localhost.
    self.host = bare.hasSuffix("localhost") ? "127.0.0.1" : bare
    authority = parts.port.map { "\(host):\($0)" } ?? host
  }

  /// Sends a request, and returns the JSON of its answer.
  ///
  /// - Throws: ``MCPError`` if the server cannot be reached, or with what it says of a request that it refuses.
  func ask(
    _ method: String, _ path: [String], query: [String: String] = [:], content: JSONValue? = nil
  ) throws -> JSONValue {
    let body = content.map { Data($0.canonicalText.utf8) } ?? Data()
    var target = "/__stubdb/" + path.map { $0.utf8.percentEncoded() }.joined(separator: "/")
    let pairs = query.sorted { $0.key < $1.key }.map {
      "\($0.key)=\($0.value.utf8.percentEncoded())"
    }
    if !pairs.isEmpty { target += "?" + pairs.joined(separator: "&") }
    var head = "\(method) \(target) HTTP/1.0\r\nHost: \(authority)\r\nAccept: application/json\r\n"
    if let token { head += "Authorization: Bearer \(token)\r\n" }
    if !body.isEmpty {
      head += "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n"
    }
    return try value(of: exchange(Data((head + "\r\n").utf8) + body))
  }

  private func value(of answer: Data) throws -> JSONValue {
    let separator = Data("\r\n\r\n".utf8)
    guard let end = answer.range(of: separator),
      let status = String(decoding: answer[..<end.lowerBound], as: UTF8.self)
        .firstMatch(of: /^HTTP\/1\.\d (\d+)/).flatMap({ Int($0.1) })
    else { throw MCPError("\(authority) does not answer as stubdb serve does") }
    let content = Data(answer[end.upperBound...])
    let value = content.isEmpty ? JSONValue.null : try? JSONValue(parsing: content)
    if (200..<300).contains(status), let value { return value }
    guard case .object(let members)? = value, case .string(let detail)? = members["detail"] else {
      throw MCPError(
        "\(authority) does not answer as stubdb serve does; its status is \(status)")
    }
    throw MCPError("the server says: \(detail)")
  }

  // MARK: The socket

  private func exchange(_ request: Data) throws -> Data {
    let socket = try connected()
    defer { close(socket) }
    try transmit(request, over: socket)
    var answer = Data()
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = recv(socket, &bytes, bytes.count, 0)
      if count == 0 { return answer }
      if count < 0 {
        if errno == EINTR { continue }
        throw failure("read the answer of")
      }
      answer.append(contentsOf: bytes[..<count])
      guard answer.count <= Self.largest else {
        throw MCPError("the answer of \(authority) is longer than \(Self.largest) bytes")
      }
    }
  }

  private func transmit(_ request: Data, over socket: Int32) throws {
    // A server that goes away is an error, and no signal, which would end this process.
    #if os(Linux)
      let flags = Int32(MSG_NOSIGNAL)
    #else
      let flags: Int32 = 0
      var isQuiet: Int32 = 1
      setsockopt(
        socket, SOL_SOCKET, SO_NOSIGPIPE, &isQuiet, socklen_t(MemoryLayout<Int32>.size))
    #endif
    var rest = request
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, flags) }
      if count < 0 {
        if errno == EINTR { continue }
        throw failure("ask")
      }
      rest = rest.dropFirst(count)
    }
  }

  private func connected() throws -> Int32 {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    #if os(Linux)
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
      hints.ai_socktype = SOCK_STREAM
    #endif
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, "\(port)", &hints, &found) == 0, let found else {
      throw MCPError("there is no address of \(authority)")
    }
    defer { freeaddrinfo(found) }
    for info in sequence(first: found, next: { $0.pointee.ai_next }) {
      let socket = socket(
        info.pointee.ai_family, info.pointee.ai_socktype, info.pointee.ai_protocol)
      guard socket >= 0 else { continue }
      // A server that hangs must not hang the assistant.
      var limit = timeval(tv_sec: 20, tv_usec: 0)
      for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
        setsockopt(
          socket, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
      }
      if connect(socket, info.pointee.ai_addr, info.pointee.ai_addrlen) == 0 { return socket }
      close(socket)
    }
    throw failure("connect to")
  }

  private func failure(_ doing: String) -> MCPError {
    MCPError(
      "cannot \(doing) \(authority): \(String(cString: strerror(errno)))",
      hints: ["Is stubdb serve running there? Its first line says where it listens."])
  }
}
