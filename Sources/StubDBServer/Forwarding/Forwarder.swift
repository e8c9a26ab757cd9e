#if Server
import HTTPTypes
import NIOCore
import NIOHTTP1
import StubDBEngine
import StubDBModel
import StubDBPlayback
import StubDBSupport

import struct Foundation.Data

/// What a server may send to others; by default nothing.
package struct ForwardingOptions: Sendable {
  /// Makes the handlers that encrypt a connection to a host.
  typealias Encryption = @Sendable (_ host: String) throws -> [any ChannelHandler]

  /// Whether requests are passed on, as stubs and the policy for unmatched requests say.
  package var allowsPassthrough = false
  /// Whether callbacks are sent.
  package var allowsCallbacks = false
  /// Whether other servers may have private addresses, those of this machine among them.
  package var allowsPrivateUpstreams = false
  /// Servers that may have private addresses all the same, because a person has named them.
  package var namedUpstreams: [HostPattern] = []
  /// How long a connection to another server may take.
  package var connectTimeout = Duration.seconds(10)
  /// How long another server may be silent.
  package var answerTimeout = Duration.seconds(60)
  /// What connections by https need; nil for TLS with the authorities of the system, if the build has it.
  var encryption: Encryption?
  /// Finds the addresses of hosts; nil to ask the system.
  var lookUp: UpstreamResolver.LookUp?

  package init() {}
}

/// Forwards requests to the servers of a scenario, and their answers back.
final class Forwarder: Sendable {
  /// How often a request may have gone through servers like this one.
  private static let mostHops = 5
  /// Distinguishes this server from others, so that a request that comes back to it is noticed.
  private static let id = String(UInt64.random(in: .min ... .max), radix: 36)

  private let client: UpstreamClient

  init(_ client: UpstreamClient) {
    self.client = client
  }

  /// Forwards a request; the answer is streamed to the sink.
  ///
  /// `record` makes what records the answer on its way; nil if it is not recorded.
  func forward(
    _ request: StubRequest, to sink: any ForwardingSink, on loop: any EventLoop,
    mirrorsFaults: Bool = false,
    record: (_ next: any UpstreamReceiver) -> RecordedAnswer? = { _ in nil }
  ) -> any Cancellable {
    let via = request.headers[values: .via].flatMap { $0.split(separator: ",") }
    let hops = via.filter { $0.contains(" stubdb") }
    guard !hops.contains(where: { $0.contains("(\(Self.id))") }), hops.count < Self.mostHops else {
      let error = UpstreamError(
        name: "loop",
        reason:
          "\(SecretDisplay.text(request.url)) leads back to this server, where the request was before"
      )
      ForwardedAnswer(sink, request).fail(error)
      return NothingToCancel()
    }
    let answer = ForwardedAnswer(sink, request, mirrorsFaults: mirrorsFaults)
    guard let recorded = record(answer) else {
      return client.send(request, via: Self.field, to: answer, on: loop)
    }
    let call = client.send(
      request, via: Self.field, to: recorded, on: loop, isRecorded: true)
    return RecordedCall(call: call, answer: recorded)
  }

  /// This server as a hop of a message.
  ///
  /// https://www.rfc-editor.org/rfc/rfc9110#section-7.6.3
  fileprivate static let field = "1.1 stubdb (\(id))"
}

/// A front end that delivers answers of other servers.
protocol ForwardingSink: ResponseSink {
  /// Tells the client how the answer of another server begins.
  func begin(_ head: ResponseHead)

  /// Tells the client of an interim response.
  func inform(_ head: ResponseHead)

  /// Sends these trailer fields at the end of the answer, if the client's protocol can.
  func append(_ trailers: HTTPFields)

  /// Says in the journal where the answer came from.
  func remark(_ text: String)
}

/// An answer of another server, on its way to a client.
private final class ForwardedAnswer: UpstreamReceiver {
  private let sink: any ForwardingSink
  private let request: StubRequest
  /// Whether the client is shown a failure as it is.
  private let mirrorsFaults: Bool
  private let status = Locked<Int?>(nil)
  /// The code of `networkConnectionLost`.
  private static let lost = -1005

  init(_ sink: any ForwardingSink, _ request: StubRequest, mirrorsFaults: Bool = false) {
    (self.sink, self.request, self.mirrorsFaults) = (sink, request, mirrorsFaults)
  }

  private var origin: String { (try? UpstreamURL(request.url))?.origin ?? "the other server" }

  func begin(_ head: HTTPResponseHead) {
    status.withLock { $0 = Int(head.status.code) }
    var response = ResponseHead(
      status: Int(head.status.code),
      headers: PassedOnFields.response(head.headers, via: Forwarder.field))
    let isChunked = head.headers.contains(name: "transfer-encoding")
    response.contentLength =
      isChunked ? nil : head.headers.first(name: "content-length").flatMap(Int.init)
    // The end is then sent as the client's protocol can.
    if response.contentLength == nil { response.headers[.transferEncoding] = "chunked" }
    sink.begin(response)
  }

  func inform(_ head: HTTPResponseHead) {
    sink.inform(
      ResponseHead(
        status: Int(head.status.code),
        headers: PassedOnFields.response(head.headers, via: Forwarder.field)))
  }

  func receive(_ content: ByteBuffer) {
    sink.tell(.content(Data(content.readableBytesView)))
  }

  func afterDelivery(_ next: @escaping @Sendable () -> Void) {
    sink.afterDelivery(next)
  }

  func end(_ trailers: HTTPHeaders) {
    if !trailers.isEmpty { sink.append(PassedOnFields.response(trailers, via: nil)) }
    let status = status.withLock { $0 }.map { " \($0)" } ?? ""
    sink.remark("\(origin) answered\(status)")
    sink.tell(.finish)
  }

  func fail(_ error: UpstreamError) {
    sink.remark("passing on to \(origin) failed: \(error.name)")
    guard status.withLock({ $0 }) != nil else {
      if mirrorsFaults, !error.isRefusal, let fault = ResponseError(urlErrorName: error.name) {
        return sink.tell(.failure(.stubbed(fault, nil)))
      }
      let (head, content) = error.answer
      return sink.tell(.whole(head, content))
    }
    // Half of the answer is there.
    sink.tell(
      .failure(.stubbed(ResponseError(domain: URLErrorNames.domain, code: Self.lost), .truncated)))
  }
}
#endif
