internal import StubDBDrift
internal import StubDBJSON
internal import StubDBModel

/// Which parameters, fields and members differ in every request and are not matched.
struct Volatility {
  /// Names that count as volatile whatever their value is, in lower case.
  private static let always: Set<String> = [
    "_", "cb", "cachebuster", "nocache", "oauth_nonce", "oauth_timestamp", "oauth_signature",
    "x-amz-date", "x-amz-signature", "x-amz-credential", "x-amz-security-token", "awsaccesskeyid",
    "code_challenge", "code_verifier",
  ]
  /// Names that are volatile if their value looks random or is a time.
  private static let random: Set<String> = [
    "ts", "timestamp", "rand", "nonce", "signature", "sig", "expires", "requestid",
    "correlationid", "idempotencykey", "client_request_id", "state",
  ]

  /// Names that are volatile because a person said so, in lower case.
  var named: Set<String> = []
  /// Whether the lists of names count; not with `--exact`.
  var usesLists = true

  /// Why a value that is volatile is not matched, for the report.
  func reason(for name: String) -> String {
    let name = name.lowercased()
    if named.contains(name) { return "is not matched, as --ignore-query says" }
    return Self.always.contains(name) || name.hasPrefix("x-goog-")
      ? "has another value in every request, as its name says, and is not matched"
      : "has a value that looks made for one request and is not matched"
  }

  /// Whether a value of this name is left out of patterns.
  func isVolatile(_ name: String, value: String) -> Bool {
    let name = name.lowercased()
    if named.contains(name) { return true }
    guard usesLists else { return false }
    if Self.always.contains(name) || name.hasPrefix("x-goog-") { return true }
    if name == "t" { return value.utf8.count >= 10 && value.utf8.allSatisfy(\.isASCIIDigit) }
    return Self.random.contains(name) && value.looksRandom
  }

  /// The value with volatile members of objects replaced by placeholders that match any value.
  func withoutVolatileMembers(_ json: JSONValue, names: inout [String]) -> JSONValue {
    switch json {
    case .array(let elements):
      return .array(elements.map { withoutVolatileMembers($0, names: &names) })
    case .object(let members):
      var kept = members
      for (name, value) in members.sorted(by: { $0.key < $1.key }) {
        if let text = value.scalarText, isVolatile(name, value: text) {
          kept[name] = JSONPlaceholder.any
          names.append(name)
        } else {
          kept[name] = withoutVolatileMembers(value, names: &names)
        }
      }
      return .object(kept)
    default: return json
    }
  }
}

extension JSONValue {
  /// The text of a string or a number; nil for other values.
  fileprivate var scalarText: String? {
    switch self {
    case .string(let text): text
    case .number(let number): number.text
    default: nil
    }
  }
}
