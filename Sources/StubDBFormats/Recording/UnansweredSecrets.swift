internal import Foundation
internal import HTTPTypes
package import StubDBJSON
package import StubDBModel
internal import StubDBSecrets

/// Tells whose the secrets of a recording are, from their placeholders in its requests and answers, in order.
///
/// What a request sends before any answer gave it is the client's own, also if an answer repeats it later. Everything
/// else belongs to the server, and a client that sends it got it from an answer.
package struct SecretOwners {
  /// The placeholders of what the client had by itself.
  package private(set) var own: Set<String>
  /// The placeholders of what answers gave first.
  private(set) var given: Set<String> = []

  package init(own: Set<String> = []) { self.own = own }

  /// Notes what a request has.
  package mutating func send(_ placeholders: Set<String>) {
    own.formUnion(placeholders.subtracting(given))
  }

  /// Notes what an answer has.
  package mutating func give(_ placeholders: Set<String>) {
    given.formUnion(placeholders.subtracting(own))
  }
}

/// Leaves free what redaction took out of requests, where the client had it before an answer gave it.
///
/// A client gets the placeholder of a token from the answer that had the token, and sends it again. A password it has by
/// itself: a pattern that asked for its placeholder would match no request at all, or only one that an answer repeats the
/// password to.
package struct UnansweredSecrets {
  /// A pattern, and the places in it that were left free.
  package struct Freed {
    package var pattern: RequestPattern
    /// JSON pointers that begin with `/path`, `/query`, `/headers`, `/cookies` or `/body`, in order.
    package var places: [JSONPointer]
  }

  /// Whose the placeholders are that were seen.
  var owners: SecretOwners
  private let numbers: Set<String>

  /// Begins with what is known to be the client's own.
  ///
  /// `numbers` are the placeholders that redaction gave to numbers: other numbers are what they say. A text that looks
  /// like a placeholder is one, because what this program exports has them.
  package init(own: Set<String> = [], numbers: Set<String> = []) {
    (owners, self.numbers) = (SecretOwners(own: own), numbers)
  }

  /// Notes what an answer gives to clients.
  package mutating func take(_ response: StubResponse) { owners.give(response.placeholders()) }

  /// The pattern for all values at the places whose placeholders no answer has given first; as it was if there are none.
  ///
  /// What they represent is the client's own from now on.
  package mutating func freed(_ pattern: RequestPattern) -> Freed {
    var freeing = PatternFreeing(given: owners.given, numbers: numbers)
    let freed = freeing.freed(pattern)
    owners.send(freeing.found)
    return Freed(pattern: freed, places: freeing.places)
  }
}

extension StubResponse {
  /// The placeholders that a client gets, after something was done to the bytes.
  func placeholders(_ redacted: (Data) -> Data = { $0 }) -> Set<String> {
    var found: Set<String> = []
    for field in headers {
      found.formUnion(RedactionPlaceholders.all(in: redacted(Data(field.value.utf8))))
    }
    if let content = body?.bytes {
      found.formUnion(RedactionPlaceholders.all(in: redacted(content)))
    }
    guard case .pieces(let pieces)? = chunks?.kind else { return found }
    for content in pieces.compactMap(\.body.bytes) {
      found.formUnion(RedactionPlaceholders.all(in: redacted(content)))
    }
    return found
  }
}

extension RecordedExchange {
  /// The placeholders that the request has anywhere, after something was done to the bytes.
  func sentPlaceholders(_ redacted: (Data) -> Data = { $0 }) -> Set<String> {
    var found = RedactionPlaceholders.all(in: redacted(Data(url.utf8)))
    for field in requestHeaders.fields {
      found.formUnion(RedactionPlaceholders.all(in: redacted(Data(field.value.utf8))))
    }
    return found.union(requestBody.placeholders(redacted))
  }

  /// The placeholders in credentials that are encoded.
  func sentCredentials(_ redacted: (Data) -> Data = { $0 }) -> Set<String> {
    requestHeaders.fields.reduce(into: []) { found, field in
      let value = redacted(Data(field.value.utf8))
      found.formUnion(Self.placeholders(inBasic: String(decoding: value, as: UTF8.self)))
    }
  }

  /// The placeholders in the header fields and the content of the answer.
  var givenPlaceholders: Set<String> {
    guard case .answer(let answer) = outcome else { return [] }
    return answer.headers.fields.reduce(into: answer.body.placeholders { $0 }) {
      $0.formUnion(RedactionPlaceholders.all(in: $1.value))
    }
  }

  /// Those of the user name and the password in `Basic dXNlcjpwYXNzd29yZA==`.
  private static func placeholders(inBasic value: String) -> Set<String> {
    let words = value.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "basic",
      let credentials = Data(base64Encoded: String(words[1]))
    else { return [] }
    return RedactionPlaceholders.all(in: credentials)
  }
}

extension RecordedBody {
  /// The placeholders in the content, after something was done to the bytes.
  fileprivate func placeholders(_ redacted: (Data) -> Data) -> Set<String> {
    func found(_ content: Data?) -> Set<String> {
      content.map { RedactionPlaceholders.all(in: redacted($0)) } ?? []
    }
    switch self {
    case .none, .missing: return []
    case .text(let text): return found(Data(text.utf8))
    case .source(let source): return source.withUTF8 { found(Data($0)) }
    case .bytes(let content): return found(content)
    case .form(let fields):
      return fields.reduce(into: []) { $0.formUnion(found(Data($1.value.utf8))) }
    case .multipart(let parts):
      return parts.reduce(into: []) {
        $0.formUnion(found($1.filename.map { Data($0.utf8) }))
        $0.formUnion(found($1.content))
      }
    }
  }
}
