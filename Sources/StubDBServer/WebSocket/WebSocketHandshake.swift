#if Server
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOWebSocket
import StubDBEngine

import struct Foundation.Data

/// A request for a WebSocket that is granted.
///
/// https://www.rfc-editor.org/rfc/rfc6455#section-4.2
struct WebSocketHandshake {
  /// Why a request for a WebSocket is not granted.
  struct Failure: Error {
    let refusal: Refusal
    /// Header fields that name the supported versions.
    var headers: HTTPFields = [:]
  }

  private let key: String
  private let subprotocol: String?

  /// Checks a request that a stub answers with a WebSocket, and chooses the subprotocol.
  ///
  /// - Throws: A ``Failure``.
  init(_ request: StubRequest, subprotocol wanted: String?) throws(Failure) {
    let fields = request.headers
    guard request.method == "GET", Self.words(fields[.upgrade]).contains("websocket"),
      Self.words(fields[.connection]).contains("upgrade")
    else {
      throw Failure(
        refusal: Refusal(
          426, "The stub opens a WebSocket",
          "The stub that answers this request opens a WebSocket, and the request does not ask for one."
        ),
        headers: [.upgrade: "websocket"])
    }
    guard fields[Self.version] == "13" else {
      throw Failure(
        refusal: Refusal(
          426, "Another version of WebSocket",
          "The server speaks version 13 of WebSocket, and the request asks for "
            + "\(fields[Self.version] ?? "none")."),
        headers: [.upgrade: "websocket", Self.version: "13"])
    }
    guard let key = fields[.secWebSocketKey], Data(base64Encoded: key)?.count == 16 else {
      throw Failure(
        refusal: Refusal(
          400, "Bad request", "Sec-WebSocket-Key has to be the base64 of 16 bytes."))
    }
    self.key = key
    subprotocol = try Self.choice(wanted, of: Self.list(fields[Self.subprotocols]))
  }

  /// The subprotocol that both sides speak; nil if neither names one.
  private static func choice(
    _ wanted: String?, of offered: [String]
  ) throws(Failure) -> String? {
    // A client that offers some and gets none gives up.
    guard let wanted else { return offered.first }
    if offered.contains(wanted) { return wanted }
    let words = offered.isEmpty ? "none" : offered.joined(separator: ", ")
    throw Failure(
      refusal: Refusal(
        400, "Another subprotocol",
        "The stub speaks the subprotocol \(wanted), and the client offers \(words)."))
  }

  /// Whether a request asks for a WebSocket.
  static func isAsked(by head: HTTPRequestHead) -> Bool {
    head.headers.first(name: "upgrade").map { words($0).contains("websocket") } ?? false
  }

  /// Whether a request with these fields asks for a WebSocket.
  static func isAsked(by headers: HTTPFields) -> Bool {
    words(headers[.upgrade]).contains("websocket")
  }

  /// The head of the response, with the header fields of the stub.
  func head(_ fields: HTTPFields, on channel: any Channel) -> EventLoopFuture<ByteBuffer> {
    let (upgrader, request) = (
      NIOWebSocketServerUpgrader(
        shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
        upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() }),
      HTTPRequestHead(
        version: .http1_1, method: .GET, uri: "/",
        headers: ["sec-websocket-key": key, "sec-websocket-version": "13"])
    )
    // The upgrader alone knows the accept key; its pipeline is not ours.
    let subprotocol = subprotocol
    return upgrader.buildUpgradeResponse(
      channel: channel, upgradeRequest: request, initialResponseHeaders: [:]
    ).map { computed in
      var head = ByteBuffer(string: "HTTP/1.1 101 Switching Protocols\r\n")
      head.writeString("Upgrade: websocket\r\nConnection: Upgrade\r\n")
      let accept = computed.first(name: "sec-websocket-accept") ?? ""
      head.writeString("Sec-WebSocket-Accept: \(accept)\r\n")
      if let subprotocol { head.writeString("Sec-WebSocket-Protocol: \(subprotocol)\r\n") }
      for field in fields where !Self.own.contains(field.name) {
        head.writeString("\(field.name.rawName): \(field.value)\r\n")
      }
      head.writeString("\r\n")
      return head
    }
  }

  /// The fields that only the server can know.
  private static let own: Set<HTTPField.Name> = [
    .connection, .upgrade, .contentLength, .transferEncoding, .secWebSocketAccept, subprotocols,
    extensions,
  ]
  private static let version = name("Sec-WebSocket-Version")
  private static let subprotocols = name("Sec-WebSocket-Protocol")
  private static let extensions = name("Sec-WebSocket-Extensions")

  private static func name(_ text: String) -> HTTPField.Name {
    HTTPField.Name(text) ?? .secWebSocketKey
  }

  private static func words(_ value: String?) -> [String] { list(value).map { $0.lowercased() } }

  private static func list(_ value: String?) -> [String] {
    (value ?? "").split(separator: ",").map { word in
      String(word.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" })
    }
  }
}
#endif
