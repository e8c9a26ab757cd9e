package import Foundation
internal import StubDBSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A real HTTP server on a free port of this machine, with one request per connection.
package final class LoopbackServer: Sendable {
  package struct Request: Sendable {
    package var line: String
    package var headers: [String: String]
    package var body: Data

    package init(line: String, headers: [String: String], body: Data) {
      (self.line, self.headers, self.body) = (line, headers, body)
    }
  }

  package struct SocketError: Error {}

  package let port: Int
  private let listener: Int32
  private let received = Locked([Request]())

  /// The requests so far.
  package var requests: [Request] { received.withLock { $0 } }

  /// `respond` returns the whole response as text: status line, fields, content.
  package convenience init(_ respond: @escaping @Sendable (Request) -> String) throws {
    try self.init(bytes: { Data(respond($0).utf8) })
  }

  /// The same for responses that are not text.
  package init(bytes respond: @escaping @Sendable (Request) -> Data) throws {
    #if canImport(Darwin)
      let stream = SOCK_STREAM
    #else
      let stream = Int32(SOCK_STREAM.rawValue)
    #endif
    let listener = socket(AF_INET, stream, 0)
    self.listener = listener
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutableBytes(of: &address) { bytes in
      guard let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else {
        return false
      }
      return bind(listener, pointer, length) == 0 && listen(listener, 64) == 0
        && getsockname(listener, pointer, &length) == 0
    }
    guard isBound else { throw SocketError() }
    port = Int(UInt16(bigEndian: address.sin_port))
    let received = received
    Thread.detachNewThread {
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        if let request = Self.read(connection) {
          received.withLock { $0.append(request) }
          Self.write(respond(request), to: connection)
        }
        shutdown(connection, Int32(SHUT_WR))
        close(connection)
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  package func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  private static func read(_ connection: Int32) -> Request? {
    var bytes = Data()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let end = Data("\r\n\r\n".utf8)
    while true {
      if let range = bytes.range(of: end) {
        let head = String(decoding: bytes[..<range.lowerBound], as: UTF8.self)
        let lines = head.components(separatedBy: "\r\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
          let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
          headers[parts[0].lowercased()] = parts.last.map {
            $0.trimmingCharacters(in: .whitespaces)
          }
        }
        let body = Data(bytes[range.upperBound...])
        if body.count >= Int(headers["content-length"] ?? "0") ?? 0 {
          return Request(line: lines[0], headers: headers, body: body)
        }
      }
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      bytes.append(contentsOf: buffer[..<count])
    }
  }

  private static func write(_ bytes: Data, to connection: Int32) {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
