package import HTTPTypes
package import StubDBModel

/// What a client gets, and when; all front ends get answers in this form.
///
/// All times are in the scenario's time.
package struct Answer: Hashable, Sendable {
  /// The delay before the answer; zero or more.
  package var delay: Duration
  /// What the client gets.
  package var kind: Kind

  /// What the client gets.
  package enum Kind: Hashable, Sendable {
    case reply(Reply)
    /// An error in place of a response.
    case error(ResponseError)
    /// Nothing, until the client times out.
    case never
    /// The answer of the real network.
    case network
  }

  /// A response.
  package struct Reply: Hashable, Sendable {
    package var head: ResponseHead
    /// Nil if there is none, or if the method or status does not allow any.
    package var content: Content?
    /// How the content is divided over time; empty to send it at once.
    ///
    /// The pieces are together no longer than the content; the rest of the content is not sent.
    package var pieces: [Piece] = []
    package var ending = Ending.complete

    /// Whether all of it is sent at once.
    var isWhole: Bool { pieces.isEmpty && ending == .complete }
  }

  /// The content of a response.
  package struct Content: Hashable, Sendable {
    package var body: ResponseBody
    /// The range of the body; nil for all.
    package var range: Range<Int>?
  }

  /// A piece of the content.
  package struct Piece: Hashable, Sendable {
    /// The number of bytes; zero or more.
    package var byteCount: Int
    /// The time after the preceding piece; zero or more.
    package var after: Duration = .zero
  }

  /// What follows the content.
  package enum Ending: Hashable, Sendable {
    /// The response is complete.
    case complete
    /// The client gets an error.
    case error(ResponseError)
    /// Nothing more.
    case never
  }
}

/// Status and header fields of a response.
package struct ResponseHead: Hashable, Sendable {
  package var status: Int
  /// Includes a default `Content-Type` for text and JSON.
  package var headers: HTTPFields

  package init(status: Int, headers: HTTPFields) {
    self.status = status
    self.headers = headers
  }

  /// The target of a redirect; nil for other responses.
  ///
  /// https://www.rfc-editor.org/rfc/rfc9110#section-15.4
  package var redirectTarget: String? {
    switch status {
    case 301, 302, 303, 307, 308: headers[.location]
    default: nil
    }
  }
}
