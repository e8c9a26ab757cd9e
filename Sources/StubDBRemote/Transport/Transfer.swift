package import Foundation

/// A request of HTTP, as the program that carries it out reads it.
///
/// Header fields may be credentials: it goes through a pipe, and is on no command line and in no file.
package struct TransferRequest: Codable, Hashable, Sendable {
  package var method: String
  package var url: String
  package var fields: [String: String] = [:]
  /// The content; nil for none, or for that of ``contentFile``.
  package var content: Data?
  /// A file with the content.
  package var contentFile: String?
  /// A file to append the content of a successful answer to; nil to have it in the answer.
  package var outputFile: String?
  /// How many bytes that file may have; nil for any number.
  ///
  /// One more is written, which shows that there are more, and the answer ends there.
  package var outputLimit: Int?
  /// How many bytes of content the answer may have, if it is not appended to a file.
  package var limit: Int
  /// Whether redirects are followed; they never are where fields are signed for one URL.
  package var followsRedirects = false
  /// How long nothing may come, in seconds.
  package var timeout = 30.0

  package init(method: String, url: String, limit: Int) {
    (self.method, self.url, self.limit) = (method, url, limit)
  }
}

/// The outcome of a request.
package struct TransferAnswer: Codable, Hashable, Sendable {
  /// The status; nil if there was no whole answer.
  package var status: Int?
  /// The header fields, with names in lower case.
  package var fields: [String: String]
  /// The content, unless it was appended to a file.
  package var content: Data
  /// Why there is no answer; nil if there is one.
  package var failure: String?
  /// Whether another try may have an answer.
  package var isPassing: Bool

  package init(status: Int, fields: [String: String] = [:], content: Data = Data()) {
    self.status = status
    self.fields = fields
    self.content = content
    isPassing = false
  }

  package init(failure: String, isPassing: Bool) {
    status = nil
    fields = [:]
    content = Data()
    self.failure = failure
    self.isPassing = isPassing
  }
}

/// A line of the program that carries requests out; the first one is empty, and says that it is ready.
package struct TransferReport: Codable, Hashable, Sendable {
  /// How many bytes the output file has by now; nil in the last report on a request.
  package var received: Int?
  /// How many bytes of the content have been sent; nil if that is not what is reported.
  package var sent: Int?
  /// The outcome of the request; nil as long as it is under way.
  package var answer: TransferAnswer?

  package init(received: Int? = nil, sent: Int? = nil, answer: TransferAnswer? = nil) {
    (self.received, self.sent, self.answer) = (received, sent, answer)
  }
}

/// Carries requests out, one after another.
package protocol HTTPTransport: Sendable {
  /// Sends a request once and waits for the end of its answer.
  ///
  /// `progress` receives how many bytes were appended to the output file.
  /// - Throws: ``RemoteError`` if requests cannot be sent at all.
  func answer(
    to request: TransferRequest, progress: (Int) -> Void
  ) throws(RemoteError) -> TransferAnswer
}

/// Sends requests until they have an answer that does not pass by itself.
package struct RetryingClient: Sendable {
  private static let longestWait = 20.0
  /// What a store says when it is busy, restarts, or wants to be asked more slowly.
  private static let passing: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

  let transport: any HTTPTransport
  /// How often a request is sent at most.
  private let tries: Int
  /// Waits for seconds.
  let wait: @Sendable (Double) -> Void
  /// A random part of an interval that begins at 0.
  let random: @Sendable (Double) -> Double

  package init(
    transport: any HTTPTransport, tries: Int = 6,
    wait: @escaping @Sendable (Double) -> Void = { Thread.sleep(forTimeInterval: $0) },
    random: @escaping @Sendable (Double) -> Double = { Double.random(in: 0...$0) }
  ) {
    (self.transport, self.tries, self.wait, self.random) = (transport, tries, wait, random)
  }

  /// The answer to a request; `place` says what is asked, for messages.
  ///
  /// The request is made anew for each try, because it may be signed with the time, or ask for the rest of a file. Between
  /// the tries is a random wait, whose longest value doubles, so that a thousand machines do not come back at once.
  package func answer(
    at place: String, progress: (Int) -> Void = { _ in },
    to request: () throws(RemoteError) -> TransferRequest
  ) throws(RemoteError) -> TransferAnswer {
    var longest = 0.25
    for number in 1... {
      let answer = try transport.answer(to: request(), progress: progress)
      let isPassing = answer.status.map(Self.passing.contains) ?? answer.isPassing
      if !isPassing, answer.status != nil { return answer }
      guard isPassing, number < tries else {
        throw RemoteError(.unreachable, Self.message(place, answer, tries: number))
      }
      let asked = answer.fields["retry-after"].flatMap(Double.init) ?? 0
      wait(min(Self.longestWait, max(asked, 0)) + random(longest))
      longest = min(longest * 2, Self.longestWait)
    }
    throw RemoteError(.unreachable, "\(place) did not answer")
  }

  private static func message(_ place: String, _ answer: TransferAnswer, tries: Int) -> String {
    let what = answer.failure ?? answer.status.map { "it answered with the status \($0)" } ?? ""
    return "cannot reach \(place): \(what)" + (tries > 1 ? " (\(tries) tries)" : "")
  }
}
