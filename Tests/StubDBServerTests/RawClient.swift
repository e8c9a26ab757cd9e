#if Server
import Foundation

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A client that sends bytes as they are, over a socket.
final class RawClient {
  /// How the server ended the connection.
  enum Ending: Equatable {
    /// It sent its end.
    case closed
    /// It reset the connection.
    case reset
    /// It did nothing for too long.
    case none
  }

  struct SocketError: Error {}

  /// How long a server that does nothing is waited for.
  private static let patience = 20
  private let descriptor: Int32

  init(port: Int, receiveBuffer: Int32? = nil) throws {
    #if canImport(Darwin)
    let stream = SOCK_STREAM
    #else
    let stream = Int32(SOCK_STREAM.rawValue)
    #endif
    descriptor = socket(AF_INET, stream, 0)
    if var size = receiveBuffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    var limit = timeval(tv_sec: Self.patience, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let isConnected = withUnsafeBytes(of: &address) { bytes in
      guard let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else {
        return false
      }
      return connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
    }
    guard isConnected else { throw SocketError() }
  }

  /// Has the end of the value reset the connection.
  func resetsAtEnd() {
    var setting = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &setting, socklen_t(MemoryLayout<linger>.size))
  }

  deinit {
    close(descriptor)
  }

  /// Sends bytes; a connection that the server has ended takes none.
  func send(_ bytes: some Sequence<UInt8>) {
    #if canImport(Darwin)
    let flags: Int32 = 0
    #else
    let flags = Int32(MSG_NOSIGNAL)
    #endif
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        #if canImport(Darwin)
        Darwin.send(descriptor, $0.baseAddress, $0.count, flags)
        #else
        Glibc.send(descriptor, $0.baseAddress, $0.count, flags)
        #endif
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  func send(_ text: String) { send(text.utf8) }

  /// Sends the end of its half of the connection.
  func sendEnd() {
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Reads until the connection ends, or until enough bytes are there.
  func read(atLeast count: Int = .max) -> (bytes: Data, ending: Ending) {
    var bytes = Data()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < count {
      let received = recv(descriptor, &buffer, buffer.count, 0)
      if received == 0 { return (bytes, .closed) }
      if received < 0 { return (bytes, errno == ECONNRESET ? .reset : .none) }
      bytes.append(contentsOf: buffer[..<received])
    }
    return (bytes, .none)
  }

  /// Reads until a text has come; nil if the connection ends before, or if something else comes for too long.
  func read(until text: String) -> String? {
    var bytes = Data()
    let start = ContinuousClock.now
    // A stream of events never falls silent.
    while start.duration(to: .now) < .seconds(Self.patience) {
      let (more, _) = read(atLeast: 1)
      if more.isEmpty { return nil }
      bytes.append(more)
      if bytes.range(of: Data(text.utf8)) != nil { return String(decoding: bytes, as: UTF8.self) }
    }
    return nil
  }
}
#endif
