package import Foundation
internal import HTTPTypes

/// What `stubdb verify --live` asks of the program that speaks to the network, as JSON on its standard input.
package struct LiveRequests: Hashable, Sendable, Codable {
  /// A request, as it is sent.
  package struct Request: Hashable, Sendable, Codable {
    package var method: String
    /// Absolute, of http or https.
    package var url: String
    /// Names and values, in order.
    package var headers: [[String]] = []
    package var body = Data()

    package init(method: String, url: String) {
      (self.method, self.url) = (method, url)
    }
  }

  package var requests: [Request]
  /// How many are sent at a time.
  package var width = 2
  /// How long the next one waits after the beginning of the one before, in milliseconds.
  package var delay = 0
  /// How long an answer may take, in milliseconds.
  package var timeout = 30_000

  package init(_ requests: [Request]) { self.requests = requests }
}

/// What became of one request, as a line of JSON on the standard output of that program.
package struct LiveAnswer: Hashable, Sendable, Codable {
  /// The place of the request in the list.
  package var index: Int
  /// The status; 0 if there was no answer.
  package var status = 0
  /// Names and values.
  package var headers: [[String]] = []
  /// The content, decoded.
  package var body = Data()
  /// Why there was no answer, as the end of a sentence; nil if there was one.
  package var problem: String?

  package init(index: Int, problem: String? = nil) {
    (self.index, self.problem) = (index, problem)
  }

  /// The answer for a comparison; fields that are no header fields are left out.
  package func sampled(isHead: Bool) -> SampledAnswer {
    var fields = HTTPFields()
    for pair in headers where pair.count == 2 {
      if let name = HTTPField.Name(pair[0]) { fields.append(HTTPField(name: name, value: pair[1])) }
    }
    return SampledAnswer(status: status, headers: fields, content: body, isHead: isHead)
  }
}

/// Which requests are still to be asked for, while answers may end the program that asks.
package struct LiveRounds: Hashable, Sendable {
  /// The places of the requests without an answer, in order.
  package private(set) var open: [Int]
  /// How many are sent at a time.
  package private(set) var width: Int
  private let once: Set<Int>

  /// Begins with all requests; those of `once` are never sent a second time.
  package init(count: Int, width: Int, once: Set<Int>) {
    (open, self.width, self.once) = (Array(0..<count), max(1, width), once)
  }

  /// An answer has come.
  package mutating func close(_ place: Int) {
    if let index = open.firstIndex(of: place) { open.remove(at: index) }
  }

  /// The program has crashed; returns what becomes of the requests that are given up.
  ///
  /// Requests are sent in order, so what was on its way is the beginning of what is open.
  package mutating func closeCrashed() -> [LiveAnswer] {
    let sent = open.prefix(width)
    let lost = width == 1 ? Array(sent) : sent.filter(once.contains)
    let problem =
      width == 1
      ? "its answer ended the program stubdb-fetch; Foundation on Linux does not survive "
        + "trailer fields"
      : "it was on its way when another answer ended the program stubdb-fetch, and is not sent "
        + "again"
    width = 1
    open.removeAll(where: lost.contains)
    return lost.map { LiveAnswer(index: $0, problem: problem) }
  }
}
