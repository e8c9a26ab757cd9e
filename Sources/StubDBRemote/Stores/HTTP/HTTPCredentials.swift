internal import Foundation

/// The header fields that are sent to one host, from `~/.netrc` or the environment.
///
/// Both name the host that they are for, since the URL in a lock file may come from anyone.
struct HTTPCredentials: Sendable {
  /// The variable with header fields: lines of a host, a name, a colon and a value.
  static let variable = "STUBDB_HTTP_HEADERS"
  /// The variable with the hosts that are asked without TLS.
  static let plainVariable = "STUBDB_PLAIN_HTTP"

  let fields: [String: String]
  /// What to do without credentials.
  let hint: String

  var isEmpty: Bool { fields.isEmpty }

  /// The credentials for an authority, such as `stubs.example.com:8443`.
  init(authority: String, _ settings: EnvironmentSettings) throws(RemoteError) {
    let host = Self.host(of: authority)
    hint =
      "Put a line into ~/.netrc: machine \(host) login NAME password PASSWORD; or export \(Self.variable)=\"\(host) Authorization: Bearer TOKEN\""
    var fields: [String: String] = [:]
    for line in (settings[Self.variable] ?? "").split(whereSeparator: \.isNewline) {
      let (target, name, value) = try Self.field(line)
      if target == authority.lowercased() || target == host { fields[name] = value }
    }
    if fields.isEmpty {
      let path = settings["NETRC"] ?? settings["HOME"].map { $0 + "/.netrc" } ?? ""
      let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      if let login = NetworkLogins(text).logins[host] {
        let pair = Data("\(login.name):\(login.password)".utf8).base64EncodedString()
        fields["Authorization"] = "Basic \(pair)"
      }
    }
    self.fields = fields
  }

  /// - Throws: ``RemoteError``, without the line, which may hold a secret.
  private static func field(
    _ line: Substring
  ) throws(RemoteError) -> (host: String, name: String, value: String) {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    if words.count == 2, let colon = words[1].firstIndex(of: ":") {
      let name = words[1][..<colon].trimmingCharacters(in: .whitespaces)
      let value = words[1][words[1].index(after: colon)...].trimmingCharacters(in: .whitespaces)
      let isName =
        !name.isEmpty
        && name.utf8.allSatisfy {
          (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == 0x2D
            || $0 == 0x5F
        }
      if isName, !value.isEmpty { return (words[0].lowercased(), name, value) }
    }
    throw RemoteError(
      .invalid, "a line of $\(variable) is not a host, a space and a header field",
      hints: ["As in: export \(variable)=\"stubs.example.com Authorization: Bearer TOKEN\""])
  }

  /// The host of an authority in lower case, without its port.
  static func host(of authority: String) -> String {
    let text = authority.lowercased()
    if text.hasPrefix("["), let end = text.firstIndex(of: "]") { return String(text[...end]) }
    return String(text.prefix { $0 != ":" })
  }

  /// Whether a host is this machine.
  static func isLoopback(_ host: String) -> Bool {
    if host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return parts.count == 4 && !parts.contains(nil) && parts[0] == 127
  }

  /// - Throws: ``RemoteError`` if a host other than this machine is to be asked without TLS, and that is not allowed.
  static func requirePlainAllowed(
    _ authority: String, _ settings: EnvironmentSettings
  ) throws(RemoteError) {
    let host = host(of: authority)
    let allowed = (settings[plainVariable] ?? "").lowercased()
      .split { $0 == "," || $0.isWhitespace }.map(String.init)
    guard !isLoopback(host), !allowed.contains(host), !allowed.contains(authority.lowercased())
    else { return }
    throw RemoteError(
      .invalid, "http://\(authority) is not asked: without TLS any machine between could answer",
      hints: [
        "Use https://, or, in a network that you trust: export \(plainVariable)=\(host)"
      ])
  }
}

/// The logins of a file `.netrc`, by host.
///
/// Its `default` is not used: it would go to any host that a lock file names.
/// https://www.gnu.org/software/inetutils/manual/html_node/The-_002enetrc-file.html
struct NetworkLogins {
  struct Login: Hashable {
    var name = ""
    var password = ""
  }

  private(set) var logins: [String: Login] = [:]

  init(_ text: String) {
    var machine: String?
    var isMacro = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      // A macro ends with an empty line.
      if isMacro {
        isMacro = !line.allSatisfy(\.isWhitespace)
        continue
      }
      var words = line.split(whereSeparator: \.isWhitespace)[...].prefix { !$0.hasPrefix("#") }
      while let word = words.popFirst() {
        switch word {
        case "machine": machine = words.popFirst().map { $0.lowercased() }
        case "default": machine = nil
        case "macdef":
          isMacro = true
          words = []
        case "login", "password", "account":
          guard let value = words.popFirst(), let machine else { continue }
          if word == "login" { logins[machine, default: Login()].name = String(value) }
          if word == "password" { logins[machine, default: Login()].password = String(value) }
        default: continue
        }
      }
    }
  }
}
