import Foundation

/// An event for the client of a protocol.
enum ClientEvent: Sendable {
  /// A response with all its content, and the end.
  case whole(FoundationHead, Data)
  /// A response; content and end follow.
  case response(FoundationHead)
  /// A part of the content; not empty.
  case content(Data)
  /// The end of the response.
  case finish
  /// An error, which ends the answer.
  case failure(any Error)
  /// A response that redirects the client.
  case redirect(Redirect)

  /// Whether it is the last event.
  var isLast: Bool {
    switch self {
    case .whole, .finish, .failure: true
    case .response, .content, .redirect: false
    }
  }

  /// The redirect that a response asks for, if it does.
  func redirected(for hop: RequestHop) -> ClientEvent {
    guard case .whole(let head, let content) = self, head.redirectTarget != nil else { return self }
    return Redirect(head, content: content, hop: hop).map(ClientEvent.redirect) ?? self
  }
}
