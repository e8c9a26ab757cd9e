import Foundation

/// What a client is told, in full.
enum Answer: Sendable {
  /// A response at once; no content is nil or empty.
  case response(AnswerHead, Data?)
  /// A response whose content comes in pieces over time, or not to its end.
  case pieces(PiecewiseAnswer)
  /// An error in place of a response.
  case failure(any Error)
  /// Nothing, until the request times out.
  case silence
}
