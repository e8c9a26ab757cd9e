#if Server
import NIOCore
import StubDBEngine
import StubDBPlayback

/// The answer that a responder is giving.
struct AnswerInProgress {
  /// Distinguishes answers: events of an earlier one count no more.
  var number = 0
  /// Whether the client waits for it, or for the rest.
  var isOwed = false
  /// What plays the scenario; nil for an answer of the server itself.
  var served: ServedScenario?
  var session: Session?
  /// By which URL the client reached the server; nil if it calls the hosts of the scenario themselves.
  var base: ServedURL?
  /// The page of another origin that may read the answer; nil for none.
  var crossOrigin: CrossOrigin?
  /// The events that are sent; nil for answers with an end.
  var stream: EventStream?
  /// The timer of the next sign that the stream lives.
  var pings: Scheduled<Void>?
  /// Whether a browser asks on a port that the admin API has too, so that pages get a separate origin.
  var isForBrowser = false
  /// Whether the head was sent.
  var hasBegun = false
  /// Whether nothing more is ever sent.
  var isSilent = false
  /// What the journal keeps of it; nil until the head is sent, and for answers of the server itself.
  var sent: SentResponse?
  /// The work of deciding, if that may take long.
  var work: RequestWork?
  /// What carries it out, if it takes time.
  var exchange: Exchange?
  /// The request that is passed on without asking a scenario.
  var forwarded: (any Cancellable)?
  /// The line of the log; nil for answers of the admin API.
  var entry: AccessLogEntry?
  /// The entry of the journal; nil until the request is decided.
  var event: ServeEvent?
  var start = NIODeadline.uptimeNanoseconds(0)
}
#endif
