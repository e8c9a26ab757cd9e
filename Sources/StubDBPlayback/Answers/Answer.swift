package import HTTPTypes
package import StubDBModel

/// What a client gets, and when: the one form in which every front end is given an answer.
///
/// All times are times of the scenario.
package struct Answer: Hashable, Sendable {
  /// How long it is held back; zero or more.
  package var delay: Duration
  /// What the client gets.
  package var kind: Kind

  /// What the client gets.
  package enum Kind: Hashable, Sendable {
    case reply(Reply)
    /// An error in place of a response.
    case error(ResponseError)
    /// Nothing, ever: the client runs into its time-out.
    case never
    /// What the real network answers.
    case network
  }

  /// A response.
  package struct Reply: Hashable, Sendable {
    package var head: ResponseHead
    /// Nil where there is none, or where method or status allow none.
    package var content: Content?
    /// How the content is cut and spread over time; empty for all at once.
    ///
    /// Together no longer than the content; what is beyond the last piece is not sent.
    package var pieces: [Piece] = []
    package var ending = Ending.complete

    /// Whether all of it comes at once.
    var isWhole: Bool { pieces.isEmpty && ending == .complete }
  }

  /// The content of a response.
  package struct Content: Hashable, Sendable {
    package var body: ResponseBody
    /// Which bytes of the body; nil for all.
    package var range: Range<Int>?
  }

  /// A piece of the content.
  package struct Piece: Hashable, Sendable {
    /// How many bytes it has; zero or more.
    package var byteCount: Int
    /// How long after the piece before it this one is sent; zero or more.
    package var after: Duration = .zero
  }

  /// What comes after the content.
  package enum Ending: Hashable, Sendable {
    /// The response is complete.
    case complete
    /// The client gets an error.
    case error(ResponseError)
    /// Nothing more, ever.
    case never
  }
}

/// Status and header fields of a response.
package struct ResponseHead: Hashable, Sendable {
  package var status: Int
  /// With a default `Content-Type` for text and JSON.
  package var headers: HTTPFields

  package init(status: Int, headers: HTTPFields) {
    self.status = status
    self.headers = headers
  }

  /// Where it sends the client; nil where it does not.
  ///
  /// https://www.rfc-editor.org/rfc/rfc9110#section-15.4
  package var redirectTarget: String? {
    switch status {
    case 301, 302, 303, 307, 308: headers[.location]
    default: nil
    }
  }
}
