import Foundation
public import StubDBEngine
import StubDBModel

/// A call that a stub makes after its answer, from the moment when it is due.
///
/// In a test it is not sent: the test waits for it, and acts for the service that makes it.
public struct CallbackEvent: Hashable, Sendable, CustomStringConvertible {
  /// The number in the journal of the request that was answered before.
  public let requestNumber: Int
  /// The call, with its placeholders filled in.
  public let request: StubRequest
  /// Which of its calls the callback makes, from 1.
  public let turn: Int
  /// The outcome of the call; nil while it is on its way, and if nothing sends it.
  package internal(set) var outcome: CallbackOutcome?

  /// One line: the call as a method and a URL, without secrets, and the request that was answered before.
  public var description: String {
    let url = SecretDisplay.text(request.url)
    return "\(request.method) \(url) after the answer to request \(requestNumber)"
  }
}

/// The outcome of a call that was due.
package enum CallbackOutcome: Hashable, Sendable {
  /// The other side answered, after this time.
  case answered(status: Int, after: Duration)
  /// There was no answer; the reason is a sentence without its full stop.
  case failed(reason: String)
  /// It was not sent; the reason is a sentence without its full stop.
  case refused(reason: String)
}

/// Sends the callbacks of a run; only a server has one.
package protocol CallbackSender: Sendable {
  /// Sends a call that follows the answer to another request, and reports its outcome, once, on any thread.
  func send(
    _ request: StubRequest, after cause: StubRequest,
    _ completion: @escaping @Sendable (CallbackOutcome) -> Void
  ) -> any Cancellable
}

extension StubRequest {
  /// The call of a callback.
  init(_ callback: ResponseCallback) {
    var headers = callback.headers
    callback.body?.kind.addContentType(to: &headers)
    self.init(
      method: callback.method, url: callback.url, headers: headers,
      body: .bytes(callback.body?.bytes ?? Data()))
  }
}
