internal import Foundation
internal import StubDBModel

/// Leaves out what a user does not want: other hosts and URLs, and what only browsers ask for.
struct ExchangeFilter {
  private static let analyticsHosts = [
    "google-analytics.com", "googletagmanager.com", "doubleclick.net", "segment.io",
    "segment.com", "mixpanel.com", "amplitude.com", "hotjar.com", "sentry.io", "newrelic.com",
    "nr-data.net", "facebook.net", "scorecardresearch.com", "chartbeat.net", "chartbeat.com",
  ]

  private let hosts: Set<String>
  private let globs: [RequestGlob]
  private let importsAll: Bool

  init(options: ImportOptions) {
    hosts = Set(options.hosts.map { $0.lowercased() })
    globs = options.only.map(RequestGlob.init)
    importsAll = options.flags.contains(.all)
  }

  /// The exchanges that are imported; the log counts the others.
  func apply(to exchanges: [RecordedExchange], log: ReportLog) -> [RecordedExchange] {
    var browserCount = 0
    var firstSource: ReportSource?
    let kept = exchanges.filter { exchange in
      guard isWanted(exchange) else {
        exchange.source.value?.ignore()
        return false
      }
      guard !importsAll, isNoise(exchange) else { return true }
      browserCount += 1
      firstSource = firstSource ?? exchange.source
      exchange.source.value?.ignore()
      return false
    }
    if browserCount > 0, let firstSource {
      log.add(
        .ignored, .browserRequest, file: firstSource.file, item: nil,
        "\(browserCount) of \(exchanges.count) entries left out (images, scripts, …); --all keeps them"
      )
    }
    return kept
  }

  private func isWanted(_ exchange: RecordedExchange) -> Bool {
    if !hosts.isEmpty {
      guard let host = URLParts(exchange.url)?.host, hosts.contains(host) else { return false }
    }
    return globs.isEmpty || globs.contains { $0.matches(exchange.method, exchange.url) }
  }

  private func isNoise(_ exchange: RecordedExchange) -> Bool {
    if exchange.isBrowserNoise { return true }
    guard let host = URLParts(exchange.url)?.host else { return false }
    return Self.analyticsHosts.contains { host == $0 || host.hasSuffix("." + $0) }
  }
}

/// A method and a glob of a URL, as `--only` takes them: `POST https://api.shop.test/**`, `/v1/*`.
package struct RequestGlob {
  private let method: String?
  private let pieces: [Substring]

  init(_ text: String) {
    let words = text.split(separator: " ", maxSplits: 1)
    let isMethod = words.count == 2
    method = isMethod ? words[0].uppercased() : nil
    pieces = (isMethod ? words[1] : text[...]).split(
      separator: "*", omittingEmptySubsequences: false)
  }

  /// Whether some request is one of a glob: that of the URL begins with `/`, with `*` or with a scheme.
  package static func canMatch(_ text: String) -> Bool {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard let url = words.last, words.count <= 2 else { return false }
    if words.count == 2, words[0] != "*" {
      guard !words[0].isEmpty, words[0].allSatisfy({ $0.isASCII && ($0.isLetter || $0 == "-") })
      else { return false }
    }
    if url.hasPrefix("/") || url.hasPrefix("*") { return true }
    // A star may stand in the scheme, as in http*://.
    return url.wholeMatch(of: /https?(:\/\/.+|:?\/?\*.*)/) != nil
  }

  /// A glob that begins with `/` is compared with the path and the query, any other with the whole URL.
  ///
  /// Nil represents every method.
  func matches(_ method: String?, _ url: String) -> Bool {
    if let wanted = self.method, let method, wanted != "*", wanted != method.uppercased() {
      return false
    }
    var text = url[...]
    if pieces[0].hasPrefix("/"), let scheme = url.range(of: "://") {
      text = url[scheme.upperBound...]
      text = text.firstIndex(of: "/").map { text[$0...] } ?? "/"
    }
    guard pieces.count > 1 else { return text == pieces[0] }
    guard text.hasPrefix(pieces[0]) else { return false }
    text = text.dropFirst(pieces[0].count)
    for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
      guard let range = text.range(of: piece) else { return false }
      text = text[range.upperBound...]
    }
    return text.hasSuffix(pieces[pieces.count - 1])
  }
}
