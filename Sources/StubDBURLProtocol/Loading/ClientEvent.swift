import Foundation

/// One thing to tell the client of a protocol.
enum ClientEvent: Sendable {
  /// A response with all its content, and the end.
  case whole(FoundationHead, Data)
  /// A response; content and end follow.
  case response(FoundationHead)
  /// Some of the content; not empty.
  case content(Data)
  /// The end.
  case finish
  /// The end, with an error.
  case failure(any Error)
  /// A response that sends the client elsewhere.
  case redirect(Redirect)

  /// Whether nothing may follow.
  var isLast: Bool {
    switch self {
    case .whole, .finish, .failure: true
    case .response, .content, .redirect: false
    }
  }

  /// The redirect that a response asks for, where it does.
  func redirected(for hop: RequestHop) -> ClientEvent {
    guard case .whole(let head, let content) = self, head.redirectTarget != nil else { return self }
    return Redirect(head, content: content, hop: hop).map(ClientEvent.redirect) ?? self
  }
}
