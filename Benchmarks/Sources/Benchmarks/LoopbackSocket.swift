#if os(Linux)
  import Foundation
  import Glibc

  /// A blocking connection to a port of this machine.
  final class LoopbackSocket: Sendable {
    private let descriptor: Int32

    init(_ port: Int) throws {
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      guard descriptor >= 0 else { throw Command.Failure(command: "socket", status: errno) }
      let status = Self.withAddress(port) { Glibc.connect(descriptor, $0, $1) }
      guard status == 0 else { throw Command.Failure(command: "connect", status: errno) }
    }

    deinit { close(descriptor) }

    /// Sends a request without content, and reads its answer, which says how long its content is.
    func get(_ path: String) throws {
      try exchange("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\n\r\n")
    }

    /// Sends a request, and reads its answer, which says how long its content is; gives the content.
    @discardableResult
    func exchange(_ request: String) throws -> String {
      try send(Array(request.utf8))
      var (answer, end) = try receiveHead()
      let length = Self.contentLength(String(decoding: answer[..<end], as: UTF8.self))
      while answer.count - end < length { answer += try receive() }
      return String(decoding: answer[end...], as: UTF8.self)
    }

    func send(_ bytes: [UInt8]) throws {
      guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
        throw Command.Failure(command: "send", status: errno)
      }
    }

    /// Reads until a head is whole; gives what came, and where the head ends.
    @discardableResult
    func receiveHead() throws -> (bytes: [UInt8], end: Int) {
      var bytes: [UInt8] = []
      while true {
        if let blank = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
          return (bytes, blank.upperBound)
        }
        bytes += try receive()
      }
    }

    /// The bytes that come next, at least one.
    @discardableResult
    func receive() throws -> ArraySlice<UInt8> {
      var buffer = [UInt8](repeating: 0, count: 16 * 1024)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { throw Command.Failure(command: "recv", status: errno) }
      return buffer[..<count]
    }

    private static func contentLength(_ head: String) -> Int {
      for line in head.split(separator: "\r\n") {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "content-length" else { continue }
        return Int(parts[1].trimmingCharacters(in: .whitespaces)) ?? 0
      }
      return 0
    }

    /// A port that nothing listened on just now.
    static func freePort() throws -> Int {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(descriptor) }
      guard withAddress(0, { bind(descriptor, $0, $1) }) == 0 else {
        throw Command.Failure(command: "bind", status: errno)
      }
      var address = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      withUnsafeMutableBytes(of: &address) { bytes in
        _ = bytes.withMemoryRebound(to: sockaddr.self) {
          getsockname(descriptor, $0.baseAddress, &length)
        }
      }
      return Int(address.sin_port.bigEndian)
    }

    /// Lets this process have as many open connections as the system allows.
    static func raiseLimit() {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      limit.rlim_cur = limit.rlim_max
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    private static func withAddress(
      _ port: Int, _ body: (UnsafePointer<sockaddr>?, socklen_t) -> Int32
    ) -> Int32 {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = in_port_t(port).bigEndian
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      return withUnsafeBytes(of: &address) { bytes in
        bytes.withMemoryRebound(to: sockaddr.self) {
          body($0.baseAddress, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }
  }
#endif
