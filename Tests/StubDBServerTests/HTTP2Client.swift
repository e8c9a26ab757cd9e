#if TLS
import Foundation

/// A client that sends frames of HTTP/2 as they are.
final class HTTP2Client {
  struct Frame: Equatable, CustomStringConvertible {
    var type: UInt8
    var flags: UInt8 = 0
    var stream: UInt32 = 0
    var payload = Data()

    var description: String {
      let names = [
        "DATA", "HEADERS", "PRIORITY", "RST_STREAM", "SETTINGS", "PUSH_PROMISE", "PING", "GOAWAY",
      ]
      let name = Int(type) < names.count ? names[Int(type)] : "\(type)"
      return "\(name) \(flags) \(stream) \(payload.count)"
    }

    /// The error code of RST_STREAM or GOAWAY.
    var code: UInt32? {
      switch type {
      case 3: Self.number(payload.prefix(4))
      case 7: Self.number(payload.dropFirst(4).prefix(4))
      default: nil
      }
    }

    var isData: Bool { type == 0 }
    var isHead: Bool { type == 1 }
    var isReset: Bool { type == 3 }
    var isGoAway: Bool { type == 7 }
    /// Whether nothing follows on the stream.
    var endsStream: Bool { (isData || isHead) && flags & 1 == 1 }

    static func number(_ bytes: Data) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }
  }

  static let preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

  let raw: RawClient
  private var received = Data()
  /// How the connection ended; nil while it has not.
  private(set) var ending: RawClient.Ending?

  /// Connects and sends the preface with these settings.
  init(port: Int, settings: [(UInt16, UInt32)] = []) throws {
    raw = try RawClient(port: port)
    raw.send(Self.preface)
    send(Frame(type: 4, payload: Self.bytes(of: settings)))
  }

  static func bytes(of settings: [(UInt16, UInt32)]) -> Data {
    settings.reduce(into: Data()) { bytes, setting in
      for shift in [8, 0] { bytes.append(UInt8(truncatingIfNeeded: setting.0 >> UInt16(shift))) }
      bytes.append(number(setting.1))
    }
  }

  static func number(_ value: UInt32) -> Data {
    Data([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) })
  }

  func send(_ frames: Frame...) { send(frames) }

  func send(_ frames: [Frame]) {
    raw.send(
      frames.reduce(into: Data()) { bytes, frame in
        bytes.append(Self.number(UInt32(frame.payload.count)).dropFirst())
        bytes.append(contentsOf: [frame.type, frame.flags])
        bytes.append(Self.number(frame.stream))
        bytes.append(frame.payload)
      })
  }

  /// The head of a request; `isWhole` if nothing follows.
  static func head(
    _ stream: UInt32, _ method: String, _ path: String, _ fields: [(String, String)] = [],
    isWhole: Bool = true
  ) -> Frame {
    let all = [(":method", method), (":scheme", "http"), (":authority", "a.test"), (":path", path)]
    return Frame(
      type: 1, flags: isWhole ? 5 : 4, stream: stream, payload: encoded(all + fields))
  }

  static func get(_ stream: UInt32, _ path: String, _ fields: (String, String)...) -> Frame {
    head(stream, "GET", path, fields)
  }

  static func data(_ stream: UInt32, _ text: String, isLast: Bool = true) -> Frame {
    Frame(type: 0, flags: isLast ? 1 : 0, stream: stream, payload: Data(text.utf8))
  }

  /// Fields as literals, which are neither compressed nor kept.
  static func encoded(_ fields: [(String, String)]) -> Data {
    func text(_ text: String) -> Data {
      let count = text.utf8.count
      var bytes = Data()
      if count < 127 {
        bytes.append(UInt8(count))
      } else {
        bytes.append(127)
        var rest = count - 127
        while rest >= 128 {
          bytes.append(UInt8(rest & 127 | 128))
          rest >>= 7
        }
        bytes.append(UInt8(rest))
      }
      return bytes + Data(text.utf8)
    }
    return fields.reduce(into: Data()) { $0 += [0] + text($1.0) + text($1.1) }
  }

  /// The next frame; nil once the connection has ended.
  func next() -> Frame? {
    while true {
      if received.count >= 9 {
        let size = Int(Frame.number(received.prefix(3)))
        if received.count >= 9 + size {
          let head = Array(received.prefix(9))
          let frame = Frame(
            type: head[3], flags: head[4], stream: Frame.number(Data(head[5...])),
            payload: Data(received.dropFirst(9).prefix(size)))
          received = Data(received.dropFirst(9 + size))
          return frame
        }
      }
      let (bytes, ending) = raw.read(atLeast: 1)
      if bytes.isEmpty {
        self.ending = ending
        return nil
      }
      received += bytes
    }
  }

  /// The frames about streams and the end, up to one with this property or to the end of the connection.
  func frames(until isLast: (Frame) -> Bool = { _ in false }) -> [Frame] {
    var frames: [Frame] = []
    while let frame = next() {
      guard [0, 1, 3, 7].contains(frame.type) else { continue }
      frames.append(frame)
      if isLast(frame) { break }
    }
    return frames
  }

  /// The content that a stream gets, and the code of its reset.
  func answer(_ stream: UInt32) -> (content: String, code: UInt32?) {
    let frames = frames { $0.stream == stream && ($0.endsStream || $0.isReset) }
      .filter { $0.stream == stream }
    let content = frames.filter(\.isData).reduce(Data()) { $0 + $1.payload }
    return (String(decoding: content, as: UTF8.self), frames.last?.code)
  }
}
#endif
