/// The kinds of losses, named for scripts that filter reports.
package enum ReportID: String, Hashable, Sendable, CaseIterable {
  /// The reason phrase of a status line.
  case reason
  /// The recording has no content for an answer.
  case noBody = "no-body"
  /// The recording has no answer to a request.
  case noAnswer = "no-answer"
  /// The error was derived from the recorder's text.
  case errorGuess = "error-guess"
  /// A cache answered.
  case fromCache = "from-cache"
  /// The recorder filled the content of a 304 in.
  case notModified = "not-modified"
  case websocket
  /// The times between the pieces of a stream are not known.
  case streamTiming = "stream-timing"
  /// A content coding that cannot be decoded.
  case encoding
  /// The character encoding was changed to UTF-8.
  case charset
  /// How bytes are written was derived from the text.
  case bytesGuessed = "bytes-guessed"
  /// The recorder damaged the content.
  case damaged
  /// A content or file that is larger than stubdb takes.
  case tooLarge = "too-large"
  case urlFragment = "url-fragment"
  /// A URL that no client can send.
  case invalidURL = "invalid-url"
  /// The scheme of a request that was not recorded.
  case scheme
  /// A part of the request that differs each time.
  case volatile
  /// Requests that pages make beside those of an application.
  case browserRequest = "browser-request"
  /// The recorder followed a redirect.
  case redirectFollowed = "redirect-followed"
  /// An operator that stubdb lacks; the stub matches without it.
  case matcher = "operator"
  /// A stub that would answer more than it should.
  case stubLeftOut = "stub-left-out"
  case regexDialect = "regex-dialect"
  case jsonPathDialect = "jsonpath-dialect"
  case template
  case state
  case random
  case proxy
  case webhook
  case script
  /// Content that was made from a schema.
  case generated
  case schemaSize = "schema-size"
  case variable
  case providerState = "provider-state"
  case unordered
  case priority
  /// Content of a request that was not recorded.
  case noRequestBody = "no-request-body"
  /// A header field that cannot be sent, or that is not asked for.
  case header
  /// Time-limited stubs.
  case expiry
  /// A request or a value that satisfies a pattern stands in its place.
  case example
  /// Several responses, and what follows the last one.
  case sequence
  /// Delays, pieces and their times.
  case timing
  /// An error or a fault in place of an answer.
  case failure
  /// Content that is not text, in a format of texts.
  case binary
  /// A file of a folder that cannot be read.
  case unreadable
  /// A request of the input that no stub answers.
  case unanswered
  /// A request of the input that gets another answer than it had there.
  case otherAnswer = "other-answer"
  /// A stub that could not be tried with a request.
  case untried
  /// Stubs beyond the number that is tried.
  case manyStubs = "many-stubs"
  /// A value that decides nothing about what a server answers; listed with `--verbose` only.
  case ignored
  case httpVersion = "http-version"
  /// A value that the format does not have, or that stubdb does not know.
  case unknown
  /// Answers of a description without an example.
  case answers
  /// Commands beside files of other formats.
  case commands

  /// Whether the report lists what was ignored: an option, or naming a file, imports it, or nothing else says so.
  var isShown: Bool { Self.shown.contains(self) }

  private static let shown: Set<ReportID> = [
    .browserRequest, .answers, .commands, .untried, .manyStubs,
  ]
}
