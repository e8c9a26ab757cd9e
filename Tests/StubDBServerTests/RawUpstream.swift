#if Server
import Foundation
import StubDBSupport

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A server on a free port that sends the same bytes to each client, whatever it asks.
final class RawUpstream: Sendable {
  /// What it does with a connection after a request has come.
  enum Step: Sendable {
    case bytes(Data)
    /// The same bytes over and over, until the client goes.
    case endless(Data)
    /// Sends back what comes, until the client goes.
    case echo
    case reset

    static func text(_ text: String) -> Step { .bytes(Data(text.utf8)) }
  }

  struct SocketError: Error {}

  let port: Int
  private let listener: Int32
  private let heads = Locked([String]())

  /// The heads of the requests so far.
  var requests: [String] { heads.withLock { $0 } }

  init(_ steps: Step...) throws {
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
    let heads = heads
    Thread.detachNewThread {
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        Thread.detachNewThread {
          if let head = Self.head(connection) {
            heads.withLock { $0.append(head) }
            for step in steps { Self.perform(step, connection) }
          }
          close(connection)
        }
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  private static func head(_ connection: Int32) -> String? {
    var bytes = Data()
    while bytes.range(of: Data("\r\n\r\n".utf8)) == nil {
      let more = received(connection)
      guard !more.isEmpty else { return nil }
      bytes += more
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func received(_ connection: Int32) -> Data {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(connection, &buffer, buffer.count, 0)
    return Data(buffer[..<max(0, count)])
  }

  private static func perform(_ step: Step, _ connection: Int32) {
    switch step {
    case .bytes(let bytes): _ = send(bytes, to: connection)
    case .endless(let bytes): while send(bytes, to: connection) {}
    case .echo:
      while true {
        let bytes = received(connection)
        guard !bytes.isEmpty, send(bytes, to: connection) else { return }
      }
    case .reset:
      var setting = linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        connection, SOL_SOCKET, SO_LINGER, &setting, socklen_t(MemoryLayout<linger>.size))
    }
  }

  private static func send(_ bytes: Data, to connection: Int32) -> Bool {
    #if canImport(Darwin)
    let flags: Int32 = 0
    #else
    let flags = Int32(MSG_NOSIGNAL)
    #endif
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        #if canImport(Darwin)
        Darwin.send(connection, $0.baseAddress, $0.count, flags)
        #else
        Glibc.send(connection, $0.baseAddress, $0.count, flags)
        #endif
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
#endif
