package import Foundation
package import HTTPTypes

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

/// The outcome of one request.
package struct LiveAnswer: Hashable, Sendable {
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
    SampledAnswer(
      status: status, headers: HTTPFields(pairs: headers), content: body, isHead: isHead)
  }
}

extension HTTPFields {
  /// The fields of pairs of a name and a value; others are left out.
  package init(pairs: [[String]]) {
    self.init()
    for pair in pairs where pair.count == 2 {
      if let name = HTTPField.Name(pair[0]) { append(HTTPField(name: name, value: pair[1])) }
    }
  }
}

extension LiveAnswer {
  /// All but the content.
  private struct Head: Codable {
    var index: Int
    var status: Int
    var headers: [[String]]
    var problem: String?
    /// How many bytes of content follow.
    var length: Int
  }

  /// A line of JSON that says how many bytes of content follow it, as on the standard output of that program.
  ///
  /// The content itself is not in the JSON: coding 64 MiB takes longer than sending them.
  package var head: Data {
    get throws {
      let head = Head(
        index: index, status: status, headers: headers, problem: problem, length: body.count)
      return try JSONEncoder().encode(head) + Data("\n".utf8)
    }
  }

  fileprivate static func parsed(_ line: Data) throws -> (LiveAnswer, length: Int) {
    let head = try JSONDecoder().decode(Head.self, from: line)
    var answer = LiveAnswer(index: head.index, problem: head.problem)
    (answer.status, answer.headers) = (head.status, head.headers)
    return (answer, max(0, head.length))
  }
}

/// Reads answers from what that program writes, in pieces of any size.
package struct LiveAnswerReader: Sendable {
  private var line = Data()
  private var open: LiveAnswer?
  private var missingCount = 0

  package init() {}

  /// Reads a piece, and passes on the answers that are complete with it.
  ///
  /// - Throws: An error if a line does not belong to an answer, and what `take` throws.
  package mutating func read(_ piece: Data, _ take: (LiveAnswer) throws -> Void) throws {
    var rest = piece
    while !rest.isEmpty {
      if open != nil {
        let part = rest.prefix(missingCount)
        open?.body.append(part)
        missingCount -= part.count
        rest = rest.dropFirst(part.count)
      } else {
        let end = rest.firstIndex(of: UInt8(ascii: "\n"))
        line += rest[..<(end ?? rest.endIndex)]
        guard let end else { return }
        rest = rest[rest.index(after: end)...]
        (open, missingCount) = try LiveAnswer.parsed(line)
        line = Data()
      }
      if let answer = open, missingCount == 0 {
        open = nil
        try take(answer)
      }
    }
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

  /// The program has crashed; returns the outcomes of the requests that are given up.
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
