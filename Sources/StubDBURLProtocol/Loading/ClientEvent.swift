import Foundation

/// One thing to tell the client of a protocol.
enum ClientEvent: Sendable {
  /// A response with all its content, and the end.
  case whole(AnswerHead, Data?)
  /// A response; content and end follow.
  case response(AnswerHead)
  /// Some of the content; not empty.
  case content(Data)
  /// The end.
  case finish
  /// The end, with an error.
  case failure(any Error)
  /// A response that sends the client elsewhere.
  case redirect(Redirect)

  /// The answer as one event; nil where it takes time or never comes.
  init?(_ answer: Answer) {
    switch answer {
    case .response(let head, let content): self = .whole(head, content)
    case .failure(let error): self = .failure(error)
    case .pieces, .silence: return nil
    }
  }

  /// Whether nothing may follow.
  var isLast: Bool {
    switch self {
    case .whole, .finish, .failure: true
    case .response, .content, .redirect: false
    }
  }
}
