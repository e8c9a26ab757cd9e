#if Server
import Foundation
import Testing

/// A WebSocket over a socket, whose frames may be wrong.
final class RawWebSocket {
  /// A frame that the server has sent.
  struct Frame: Equatable {
    var opcode: Int
    var content: Data
    var isLast = true

    static func text(_ text: String) -> Frame { Frame(opcode: 1, content: Data(text.utf8)) }

    static func close(_ code: Int, _ reason: String = "") -> Frame {
      Frame(opcode: 8, content: Data([UInt8(code >> 8), UInt8(code & 255)]) + Data(reason.utf8))
    }

    /// The code of a frame that closes the connection; nil for other frames.
    var code: Int? {
      opcode == 8 && content.count > 1
        ? Int(content[content.startIndex]) << 8 | Int(content[content.startIndex + 1]) : nil
    }
  }

  static let key = "dGhlIHNhbXBsZSBub25jZQ=="
  let client: RawClient
  /// The head of the response.
  let head: String
  private var bytes = Data()

  /// Opens a WebSocket; `ahead` is sent right behind the request.
  init(
    _ server: TestServer, _ path: String, _ fields: String = "", ahead: [UInt8] = [],
    receiveBuffer: Int32? = nil
  ) throws {
    client = try server.client(receiveBuffer: receiveBuffer)
    client.send(Array(Self.request(path, fields).utf8) + ahead)
    var bytes = Data()
    var end = bytes.range(of: Data("\r\n\r\n".utf8))
    while end == nil {
      let (more, _) = client.read(atLeast: 1)
      if more.isEmpty { break }
      bytes += more
      end = bytes.range(of: Data("\r\n\r\n".utf8))
    }
    let range = try #require(end)
    head = String(decoding: bytes[..<range.upperBound], as: UTF8.self)
    self.bytes = Data(bytes[range.upperBound...])
  }

  static func request(
    _ path: String, _ fields: String = "", key: String = key, version: Int = 13
  ) -> String {
    "GET \(path) HTTP/1.1\r\nHost: h\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n"
      + "Sec-WebSocket-Version: \(version)\r\nSec-WebSocket-Key: \(key)\r\n\(fields)\r\n"
  }

  /// The bytes of a frame; `first` is its first byte, `length` what it says its length is.
  static func frame(
    _ first: UInt8, _ content: some Collection<UInt8>, isMasked: Bool = true, length: Int? = nil
  ) -> [UInt8] {
    let length = length ?? content.count
    let mask: [UInt8] = [1, 2, 3, 4]
    var frame = [first]
    let bit: UInt8 = isMasked ? 0x80 : 0
    switch length {
    case ..<126: frame.append(bit | UInt8(length))
    case ..<65_536: frame += [bit | 126, UInt8(length >> 8), UInt8(length & 255)]
    default:
      frame.append(bit | 127)
      frame += (0..<8).reversed().map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) }
    }
    if isMasked { frame += mask }
    return frame + content.enumerated().map { isMasked ? $1 ^ mask[$0 % 4] : $1 }
  }

  static func text(_ text: String) -> [UInt8] { frame(0x81, Array(text.utf8)) }

  static func close(_ code: Int) -> [UInt8] {
    frame(0x88, [UInt8(code >> 8), UInt8(code & 255)])
  }

  func send(_ bytes: [UInt8]) { client.send(bytes) }

  /// The next frame; nil once the connection has ended.
  func next() -> Frame? {
    guard let start = need(2) else { return nil }
    var length = Int(start[1] & 0x7F)
    var offset = 2
    if length == 126, let head = need(4) {
      (length, offset) = (Int(head[2]) << 8 | Int(head[3]), 4)
    } else if length == 127, let head = need(10) {
      (length, offset) = (head[2..<10].reduce(0) { $0 << 8 | Int($1) }, 10)
    }
    guard let whole = need(offset + length) else { return nil }
    bytes.removeFirst(offset + length)
    return Frame(
      opcode: Int(start[0] & 0x0F), content: Data(whole[offset...]), isLast: start[0] & 0x80 != 0)
  }

  /// The next message, put together of its frames.
  func nextMessage() -> Data? {
    var message = Data()
    while let frame = next() {
      message += frame.content
      if frame.isLast { return message }
    }
    return nil
  }

  /// How the connection ends; the rest of the bytes does not matter.
  var ending: RawClient.Ending { client.read().ending }

  private func need(_ count: Int) -> [UInt8]? {
    while bytes.count < count {
      let (more, _) = client.read(atLeast: count - bytes.count)
      if more.isEmpty { return nil }
      bytes += more
    }
    return Array(bytes.prefix(count))
  }
}
#endif
