public import Foundation
import HTTPTypes
public import StubDBModel
import StubDBPlayback
import StubDBSupport

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A response in Foundation's form, with facts about its header fields.
struct FoundationHead: Sendable {
  let response: URLResponse
  /// Whether it has `Set-Cookie` fields.
  let setsCookies: Bool
  /// The target of a redirect; nil for other responses.
  let redirectTarget: String?

  /// Makes the response for an answer of a stub; nil if Foundation does not accept its status.
  init?(_ head: ResponseHead, url: URL) {
    var fields = Self.joined(head.headers)
    PlatformURLProtocol.adjust(&fields, status: head.status)
    guard
      let response = HTTPURLResponse(
        url: url, statusCode: head.status, httpVersion: "HTTP/1.1", headerFields: fields)
    else { return nil }
    self.response = response
    setsCookies = head.headers.contains(.setCookie)
    redirectTarget = head.redirectTarget
  }

  /// A response that came from the network.
  init(received response: URLResponse) {
    self.response = Self.deliverable(response)
    let http = response as? HTTPURLResponse
    setsCookies = http?.value(forHTTPHeaderField: "Set-Cookie") != nil
    let headers = http?.value(forHTTPHeaderField: "Location").map { HTTPFields([.location: $0]) }
    redirectTarget = headers.flatMap { headers in
      http.flatMap { ResponseHead(status: $0.statusCode, headers: headers).redirectTarget }
    }
  }

  /// The response, with the fields that the platform's loader can deliver.
  private static func deliverable(_ response: URLResponse) -> URLResponse {
    guard let http = response as? HTTPURLResponse, let url = http.url,
      let fields = http.allHeaderFields as? [String: String]
    else { return response }
    var adjusted = fields
    PlatformURLProtocol.adjust(&adjusted, status: http.statusCode)
    guard adjusted != fields else { return response }
    return HTTPURLResponse(
      url: url, statusCode: http.statusCode, httpVersion: "HTTP/1.1", headerFields: adjusted)
      ?? response
  }

  /// Foundation stores one value per name; it also separates the values of `Set-Cookie` again.
  private static func joined(_ headers: HTTPFields) -> [String: String] {
    if headers.count == 1, let only = headers.first { return [only.name.rawName: only.value] }
    // Canonical names show which values belong together.
    var lines: [String: (name: String, value: String)] = [:]
    lines.reserveCapacity(headers.count)
    for field in headers {
      if lines[field.name.canonicalName]?.value.append(", " + field.value) == nil {
        lines[field.name.canonicalName] = (field.name.rawName, field.value)
      }
    }
    return Dictionary(lines.values.map { ($0.name, $0.value) }) { first, _ in first }
  }
}

extension HTTPFields {
  fileprivate init(_ fields: [HTTPField.Name: String]) {
    self.init()
    for (name, value) in fields { self[name] = value }
  }
}

/// The heads of answers, so that the same answer to the same URL is made once, also for different runs.
///
/// Half of the cost of an answer is Foundation's work on its header fields (1.7 µs for one field). A head is kept once
/// its URL was asked for a second time: most that are asked for once never come again, and what is kept lies in memory
/// that nothing else uses until then.
final class FoundationHeadCache: Sendable {
  /// That of all interceptors.
  static let shared = FoundationHeadCache()

  private final class Entry: Sendable {
    let url: String
    let head: ResponseHead
    let made: FoundationHead

    init(url: String, head: ResponseHead, made: FoundationHead) {
      self.url = url
      self.head = head
      self.made = made
    }

    func isFor(_ other: ResponseHead, _ url: String) -> Bool {
      // Not == for the head, which ignores the case of names, and how values compose characters.
      self.url == url && head.status == other.status
        && head.headers.elementsEqual(other.headers) {
          $0.name.rawName == $1.name.rawName && ByteText.isEqual($0.value, $1.value)
        }
    }
  }

  private enum Finding {
    case known(FoundationHead)
    /// To be made, and kept if the URL was asked for before.
    case unknown(isAskedAgain: Bool)
  }

  /// The number of pairs of places, a power of two.
  ///
  /// A client that asks for more URLs than twice as many hardly asks for one again.
  private static let pairCount = 256
  /// The same for the URLs that were asked for once.
  private static let askedPairCount = 1024

  private struct State {
    /// Each URL has a pair of places, where it displaces the earlier one; empty as long as nothing is kept.
    var entries: [(hash: Int, entry: Entry?)] = []
    /// The hashes of URLs that were asked for, likewise in pairs.
    var asked: [Int] = []

    func known(_ head: ResponseHead, _ key: String, _ hash: Int) -> FoundationHead? {
      guard !entries.isEmpty else { return nil }
      let place = FoundationHeadCache.place(hash)
      for place in place...(place + 1) where entries[place].hash == hash {
        if let entry = entries[place].entry, entry.isFor(head, key) { return entry.made }
      }
      return nil
    }

    /// Notes that a URL was asked for; true if that is known already.
    mutating func ask(_ hash: Int) -> Bool {
      if asked.isEmpty { asked = Array(repeating: 0, count: 2 * askedPairCount) }
      let place = 2 * ((hash >> 8) & (askedPairCount - 1))
      if asked[place] == hash || asked[place + 1] == hash { return true }
      asked[place + 1] = asked[place]
      asked[place] = hash
      return false
    }

    /// Keeps an entry; returns what it replaces.
    mutating func keep(_ entry: Entry, _ hash: Int) -> Entry? {
      if entries.isEmpty { entries = Array(repeating: (0, nil), count: 2 * pairCount) }
      let place = FoundationHeadCache.place(hash)
      let replaced = entries[place + 1].entry
      entries[place + 1] = entries[place]
      entries[place] = (hash, entry)
      return replaced
    }
  }

  private let state = Locked(State())

  private static func place(_ hash: Int) -> Int { 2 * (hash & (pairCount - 1)) }

  /// Whether the header fields are short enough to be kept as long as the process lives.
  private static func isSmall(_ head: ResponseHead) -> Bool {
    head.headers.reduce(0) { $0 + $1.value.utf8.count } <= 4096
  }

  /// The head of a response to this URL; made unless it is known, and nil if it cannot be made.
  ///
  /// `key` is the URL as text, which the caller has.
  func head(_ head: ResponseHead, url: URL, key: String) -> FoundationHead? {
    // A response has the very URL of its request, and the text of one with a base does not say so.
    guard url.baseURL == nil else { return FoundationHead(head, url: url) }
    let hash = key.hashValue
    let finding: Finding = state.withLock { state in
      state.known(head, key, hash).map(Finding.known)
        ?? .unknown(isAskedAgain: state.ask(hash))
    }
    switch finding {
    case .known(let made):
      return made
    case .unknown(let isAskedAgain):
      guard let made = FoundationHead(head, url: url) else { return nil }
      guard isAskedAgain, Self.isSmall(head) else { return made }
      let entry = Entry(url: key, head: head, made: made)
      // What it replaces is freed without the lock.
      let replaced = state.withLock { $0.keep(entry, hash) }
      withExtendedLifetime(replaced) {}
      return made
    }
  }
}

extension HTTPFields {
  /// More fields than any client sends or server accepts, and fewer than `HTTPFields` can contain: more than 65,534
  /// stop the process.
  static let maximumCount = 1_000

  /// The header fields of a Foundation request; nil if there are more than ``maximumCount``.
  ///
  /// Foundation accepts names that HTTP does not allow; such fields are dropped.
  init?(requestFields fields: [String: String]) {
    guard fields.count <= Self.maximumCount else { return nil }
    self.init()
    for (name, value) in fields {
      if let name = HTTPField.Name(name) { append(HTTPField(name: name, value: value)) }
    }
  }

  /// The header fields of a Foundation response; nil if there are more than ``maximumCount``.
  ///
  /// Foundation accepts names that HTTP does not allow; such fields are dropped.
  init?(foundationFields fields: [AnyHashable: Any]) {
    guard fields.count <= Self.maximumCount else { return nil }
    self.init()
    for (name, value) in fields {
      guard let name = name as? String, let value = value as? String,
        let field = HTTPField.Name(name)
      else { continue }
      append(HTTPField(name: field, value: value))
    }
  }
}

extension StubResponse {
  /// Makes a response from a Foundation response and its content.
  ///
  /// Status and header fields are copied; the URL is that of the answered request. Fields with names that HTTP does not
  /// allow are dropped, and all fields if there are more than a thousand.
  public init(_ response: HTTPURLResponse, content: Data = Data()) {
    self.init(
      status: response.statusCode,
      headers: HTTPFields(foundationFields: response.allHeaderFields) ?? HTTPFields(),
      body: content.isEmpty ? nil : .data(content))
  }

  /// Makes a URL loading error.
  public static func error(_ code: URLError.Code) -> StubResponse {
    StubResponse(error: ResponseError(domain: NSURLErrorDomain, code: code.rawValue))
  }
}
