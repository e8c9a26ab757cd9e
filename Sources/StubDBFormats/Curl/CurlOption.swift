/// An option of curl, and its effect on the request.
///
/// https://curl.se/docs/manpage.html
struct CurlOption: Sendable {
  enum Effect: Sendable {
    case method, head, get, url, urlQuery, header, userAgent, referer, cookie, user, bearer, range
    case data, dataRaw, dataBinary, dataURLEncode, json, form, formString, upload, globOff
    /// No effect on what a stub sees.
    case none
  }

  let name: String
  let letter: Character?
  let takesValue: Bool
  let effect: Effect

  private init(_ name: String, _ letter: Character?, _ effect: Effect, takesValue: Bool) {
    self.name = name
    self.letter = letter
    self.effect = effect
    self.takesValue = takesValue
  }

  private static func value(
    _ name: String, _ letter: Character? = nil, _ effect: Effect = .none
  ) -> CurlOption {
    CurlOption(name, letter, effect, takesValue: true)
  }

  private static func flag(
    _ name: String, _ letter: Character? = nil, _ effect: Effect = .none
  ) -> CurlOption {
    CurlOption(name, letter, effect, takesValue: false)
  }

  static let all: [CurlOption] = [
    value("request", "X", .method), flag("head", "I", .head), flag("get", "G", .get),
    value("url", nil, .url), value("url-query", nil, .urlQuery), value("header", "H", .header),
    value("user-agent", "A", .userAgent), value("referer", "e", .referer),
    value("cookie", "b", .cookie), value("user", "u", .user),
    value("oauth2-bearer", nil, .bearer), value("range", "r", .range),
    value("data", "d", .data), value("data-ascii", nil, .data), value("data-raw", nil, .dataRaw),
    value("data-binary", nil, .dataBinary), value("data-urlencode", nil, .dataURLEncode),
    value("json", nil, .json), value("form", "F", .form), value("form-string", nil, .formString),
    value("upload-file", "T", .upload), flag("globoff", "g", .globOff),
    // Options about the transport and about the output.
    value("cookie-jar", "c"), value("output", "o"), value("output-dir"), value("write-out", "w"),
    value("dump-header", "D"), value("max-time", "m"), value("connect-timeout"), value("retry"),
    value("retry-delay"), value("retry-max-time"), value("max-redirs"), value("proxy", "x"),
    value("proxy-user", "U"), value("noproxy"), value("cacert"), value("capath"),
    value("cert", "E"), value("key"), value("cert-type"), value("key-type"), value("pass"),
    value("ciphers"), value("tls-max"), value("resolve"), value("connect-to"), value("interface"),
    value("limit-rate"), value("aws-sigv4"), value("keepalive-time"), value("stderr"),
    value("trace"), value("trace-ascii"), value("dns-servers"), value("unix-socket"),
    value("max-filesize"), value("expect100-timeout"), value("speed-time", "y"),
    value("speed-limit", "Y"), value("time-cond", "z"),
    flag("location", "L"), flag("location-trusted"), flag("compressed"), flag("insecure", "k"),
    flag("silent", "s"), flag("show-error", "S"), flag("verbose", "v"), flag("include", "i"),
    flag("show-headers"), flag("fail", "f"), flag("fail-with-body"), flag("remote-name", "O"),
    flag("remote-header-name", "J"), flag("progress-bar", "#"), flag("no-progress-meter"),
    flag("no-buffer", "N"), flag("http1.0", "0"), flag("http1.1"), flag("http2"), flag("http3"),
    flag("http2-prior-knowledge"), flag("ipv4", "4"), flag("ipv6", "6"), flag("tlsv1", "1"),
    flag("tlsv1.2"), flag("tlsv1.3"), flag("ssl"), flag("ssl-reqd"), flag("path-as-is"),
    flag("basic"), flag("digest"), flag("ntlm"), flag("negotiate"), flag("anyauth"),
    flag("tcp-nodelay"), flag("keepalive"), flag("junk-session-cookies", "j"),
    flag("raw"), flag("disable", "q"), flag("netrc", "n"), flag("create-dirs"),
    flag("parallel", "Z"), flag("styled-output"), flag("post301"), flag("post302"),
    flag("post303"), flag("retry-all-errors"), flag("retry-connrefused"), flag("proxytunnel", "p"),
    flag("tcp-fastopen"), flag("sessionid"), flag("alpn"), flag("buffer"), flag("trace-time"),
  ]

  private static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
  private static let byLetter = Dictionary(
    all.compactMap { option in option.letter.map { ($0, option) } }
  ) { first, _ in first }

  /// The option of a letter, or nil.
  static func option(letter: Character) -> CurlOption? { byLetter[letter] }

  /// The option of a name, which may be abbreviated if only one option begins with it.
  ///
  /// A leading `no-` turns a flag off, which does not affect the request. Nil if there is no such option.
  static func option(named name: String) -> CurlOption? {
    if let option = byName[name] { return option }
    if name.hasPrefix("no-"), let option = byName[String(name.dropFirst(3))], !option.takesValue {
      return .flag(name)
    }
    let longer = all.filter { $0.name.hasPrefix(name) }
    return longer.count == 1 ? longer[0] : nil
  }
}

/// An error in a curl command.
package struct CurlError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One sentence that says what is wrong and what to do.
  package var message: String
  /// The line of the text, from 1; nil if the error is not about a line.
  package var line: Int?

  package init(_ message: String, line: Int? = nil) {
    self.message = message
    self.line = line
  }

  /// The line, if it is known, and the message.
  package var description: String {
    line.map { "line \($0): \(message)" } ?? message
  }
}
