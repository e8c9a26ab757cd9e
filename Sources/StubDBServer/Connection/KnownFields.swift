#if Server
import HTTPTypes
import NIOHTTP1

/// The header fields of requests without content that were seen before, byte by byte, with what the parser made of
/// them.
///
/// Clients send the same fields with every target. With these known, a head costs no more than its first line.
final class KnownFields {
  /// The fields as they came, with the blank line.
  private let bytes: [UInt8]
  private let headers: HTTPHeaders
  /// The same for scenarios.
  let fields: HTTPFields

  /// Nil for a head that asks for more than an answer; it must have been accepted.
  ///
  /// `line` is what came before them: an empty line may come before the first line of a request, which is no field.
  init?(
    _ bytes: UnsafeRawBufferPointer, below line: UnsafeRawBufferPointer, _ head: HTTPRequestHead
  ) {
    guard head.isPlain, Self.end.isEnd(of: line) != nil else { return nil }
    self.bytes = Array(bytes)
    headers = head.headers
    fields = FieldNames.current.fields(head.headers)
  }

  func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
    bytes.count == other.count && bytes.withUnsafeBytes { $0.isBeginning(of: other) }
  }

  /// The head with the first line, which has its end; nil if that is for the parser.
  func head(_ line: UnsafeRawBufferPointer) -> HTTPRequestHead? {
    guard line.count <= Self.longestLine, let version = Self.end.isEnd(of: line) else { return nil }
    let method: HTTPMethod
    let start: Int
    switch line.first {
    case UInt8(ascii: "G") where Self.get.isBeginning(of: line): (method, start) = (.GET, 4)
    case UInt8(ascii: "H") where Self.head.isBeginning(of: line): (method, start) = (.HEAD, 5)
    default: return nil
    }
    guard start < version, line[start] == UInt8(ascii: "/") else { return nil }
    let target = UnsafeRawBufferPointer(rebasing: line[start..<version])
    for byte in target where !Self.allowed[Int(byte)] { return nil }
    return HTTPRequestHead(
      version: .http1_1, method: method, uri: String(decoding: target, as: UTF8.self),
      headers: headers)
  }

  private static let longestLine = 1_000
  private static let get = Array("GET ".utf8)
  private static let head = Array("HEAD ".utf8)
  private static let end = Array(" HTTP/1.1\r\n".utf8)
  /// The bytes that any parser takes as part of a target.
  ///
  /// https://www.rfc-editor.org/rfc/rfc3986#section-2
  private static let allowed: [Bool] = (0..<256).map { byte in
    switch UInt8(byte) {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "-._~!$&'()*+,;=:@/?%".utf8.contains(UInt8(byte))
    }
  }
}

extension [UInt8] {
  fileprivate func isBeginning(of other: UnsafeRawBufferPointer) -> Bool {
    withUnsafeBytes { $0.isBeginning(of: other) }
  }

  /// Where the other bytes end with these; nil if they do not.
  fileprivate func isEnd(of other: UnsafeRawBufferPointer) -> Int? {
    let start = other.count - count
    guard start >= 0 else { return nil }
    return isBeginning(of: UnsafeRawBufferPointer(rebasing: other[start...])) ? start : nil
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the other bytes begin with these.
  func isBeginning(of other: UnsafeRawBufferPointer) -> Bool {
    guard other.count >= count else { return false }
    var place = 0
    while place + 8 <= count {
      if loadUnaligned(fromByteOffset: place, as: UInt64.self)
        != other.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      {
        return false
      }
      place += 8
    }
    while place < count {
      if self[place] != other[place] { return false }
      place += 1
    }
    return true
  }
}

extension HTTPRequestHead {
  /// Whether the request has no content and asks for nothing of the connection, so that its answer is all that follows.
  var isPlain: Bool {
    version == .http1_1 && method != .CONNECT
      && headers["connection"].allSatisfy { $0.lowercased() == "keep-alive" }
      && !["content-length", "expect", "transfer-encoding", "upgrade"]
        .contains(where: headers.contains(name:))
  }
}
#endif
