extension URLParts {
  /// Parses a plain URL, as most are, in one pass over its bytes; nil for other URLs.
  ///
  /// A plain URL has a lower-case scheme, a host without a port, and a path and a query without encoded octets. Every
  /// request's URL is parsed, and the general way, which works on characters, takes four times as long.
  init?(plain text: String) {
    var copy = text
    let parts = copy.withUTF8 { octets in Self.plainParts(octets) }
    guard let parts else { return nil }
    self = parts
  }

  /// Parses a URL like ``init(_:)``, but for the query if the rest is plain: most patterns do not look at it.
  ///
  /// The parts have it only if `hasQuery` is true; otherwise ``queryItems(ofPlain:)`` gives it.
  package static func withoutQuery(_ text: String) -> (parts: URLParts, hasQuery: Bool)? {
    var copy = text
    if let plain = copy.withUTF8({ octets in plainParts(octets, leavesQuery: true) }) {
      return (plain, false)
    }
    return URLParts(general: text).map { ($0, true) }
  }

  /// The query parameters of a URL whose parts before the query are plain.
  package static func queryItems(ofPlain text: String) -> [QueryItem] {
    var copy = text
    let plain = copy.withUTF8 { octets in
      octets.firstIndex(of: UInt8(ascii: "?"))
        .map { plainItems(octets, ($0 + 1)..<octets.count) } ?? []
    }
    return plain ?? URLParts(general: text)?.query ?? []
  }

  private static func plainParts(
    _ octets: UnsafeBufferPointer<UInt8>, leavesQuery: Bool = false
  ) -> URLParts? {
    var place = 0
    while place < octets.count, octets[place].isASCIILowercase { place += 1 }
    let separator: StaticString = "://"
    guard place > 0, place + 3 < octets.count,
      (0..<3).allSatisfy({ octets[place + $0] == separator.utf8Start[$0] })
    else { return nil }
    let scheme = 0..<place
    let hostStart = place + 3
    place = hostStart
    while place < octets.count, octets[place].isPlainHostOctet { place += 1 }
    let host = hostStart..<place
    guard !host.isEmpty, place < octets.count, octets[place] == UInt8(ascii: "/") else {
      return nil
    }
    while place < octets.count, octets[place].isPathOctet || octets[place] == UInt8(ascii: "/") {
      place += 1
    }
    let path = host.upperBound..<place
    var query: [QueryItem] = []
    if place < octets.count {
      guard octets[place] == UInt8(ascii: "?") else { return nil }
      if !leavesQuery {
        guard let items = plainItems(octets, (place + 1)..<octets.count) else { return nil }
        query = items
      }
    }
    return URLParts(
      scheme: text(octets, scheme), host: text(octets, host), path: text(octets, path),
      query: query)
  }

  /// The items of a query without encoded octets; nil if there may be any.
  private static func plainItems(
    _ octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) -> [QueryItem]? {
    var items: [QueryItem] = []
    var (start, equals) = (range.lowerBound, Int?.none)
    for place in range.lowerBound...range.upperBound {
      let octet = place == range.upperBound ? UInt8(ascii: "&") : octets[place]
      switch octet {
      case UInt8(ascii: "%"), UInt8(ascii: "+"), UInt8(ascii: "#"), 0x80...:
        return nil
      case UInt8(ascii: "=") where equals == nil:
        equals = place
      case UInt8(ascii: "&"):
        if place > start {
          let name = text(octets, start..<(equals ?? place))
          let value = equals.map { text(octets, ($0 + 1)..<place) } ?? ""
          items.append(QueryItem(name: name, value: value))
        }
        (start, equals) = (place + 1, nil)
      default:
        break
      }
    }
    return items
  }

  private static func text(
    _ octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: octets[range]), as: UTF8.self)
  }

  private init(scheme: String, host: String, path: String, query: [QueryItem]) {
    self.scheme = scheme
    self.host = host
    self.path = path
    self.query = query
  }
}

extension UInt8 {
  fileprivate var isASCIILowercase: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
}
