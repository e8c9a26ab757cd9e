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

  package init(index: Int) { self.index = index }

  /// The answer for a comparison; fields that are no header fields are left out.
  package func sampled(isHead: Bool) -> SampledAnswer {
    var fields = HTTPFields()
    for pair in headers where pair.count == 2 {
      if let name = HTTPField.Name(pair[0]) { fields.append(HTTPField(name: name, value: pair[1])) }
    }
    return SampledAnswer(status: status, headers: fields, content: body, isHead: isHead)
  }
}
