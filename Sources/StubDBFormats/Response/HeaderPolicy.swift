internal import Foundation
internal import HTTPTypes

/// Which header fields of recorded answers are kept.
struct HeaderPolicy {
  /// Fields that say where the content ends, which every server writes anew.
  static let lengths: Set<String> = ["content-length", "transfer-encoding"]
  /// Fields of one connection.
  static let connection = lengths.union(["connection", "keep-alive"])
  /// Fields of one connection and of what is between client and server, and of codings that are undone.
  static let framing = connection.union([
    "content-encoding", "proxy-connection", "proxy-authenticate", "trailer", "upgrade", "alt-svc",
    "http2-settings",
  ])
  /// Fields with a checksum of the content.
  static let checksums: Set<String> = ["content-md5", "digest", "content-digest", "repr-digest"]
  /// Fields that differ from answer to answer and tell a client nothing.
  static let volatile: Set<String> = [
    "date", "age", "server", "via", "x-request-id", "x-correlation-id", "x-runtime", "x-served-by",
    "x-timer", "x-amz-request-id", "x-amz-id-2", "cf-ray", "cf-cache-status", "nel", "report-to",
    "server-timing", "expect-ct", "strict-transport-security", "x-github-request-id",
    "x-powered-by", "p3p", "traceparent",
  ]
  private static let volatilePrefixes = ["x-cache", "x-amz-cf-"]
  /// Names of cookies that analytics and load balancers set.
  private static let volatileCookies: Set<String> = [
    "__cfduid", "_ga", "_gid", "_gat", "awsalb", "awsalbcors", "awsalbtg", "awsalbtgcors",
  ]
  private static let volatileCookiePrefixes = ["_ga_", "_gat_", "_gac_"]

  /// Whether volatile fields are kept, too.
  var keepsAll = false
  /// Fields that are kept although they are volatile, in lower case.
  var kept: Set<String> = []

  /// The policy that `--keep-headers` describes: `all`, or names.
  init(keeping names: [String] = []) {
    let names = names.map { $0.lowercased() }
    keepsAll = names.contains("all")
    kept = Set(names)
  }

  /// Whether a field is volatile.
  func leavesOut(_ name: String, value: String) -> Bool {
    guard !keepsAll, !kept.contains(name) else { return false }
    if name == "set-cookie" {
      let cookie = value.prefix { $0 != "=" }.trimmingCharacters(in: .whitespaces).lowercased()
      return Self.volatileCookies.contains(cookie)
        || Self.volatileCookiePrefixes.contains { cookie.hasPrefix($0) }
    }
    return Self.volatile.contains(name) || Self.volatilePrefixes.contains { name.hasPrefix($0) }
  }
}

/// The header fields of an answer that reach a stub.
struct KeptHeaders {
  private(set) var fields: [HTTPField] = []
  /// The names of the volatile fields that were left out, one for each field.
  private(set) var volatileNames: [String] = []
  /// Names that no client can receive, and those whose values none can.
  private(set) var invalidNames: [String] = []
  private(set) var namesOfInvalidValues: [String] = []

  /// Chooses fields; `isRecoded` says that checksums of the content are wrong now, `keepsLength` that the length is
  /// information of its own, as in the answer to a HEAD request.
  init(
    _ headers: RecordedHeaders, policy: HeaderPolicy, status: Int, isRecoded: Bool,
    keepsLength: Bool
  ) {
    for field in headers.fields {
      let name = field.name.lowercased()
      if name.hasPrefix(":") { continue }
      let isFraming =
        HeaderPolicy.framing.contains(name) && !(keepsLength && name == "content-length")
        && !(status == 407 && name == "proxy-authenticate")
      if isFraming || isRecoded && HeaderPolicy.checksums.contains(name) { continue }
      if policy.leavesOut(name, value: field.value) {
        volatileNames.append(field.name)
        continue
      }
      guard let fieldName = HTTPField.Name(field.name) else {
        invalidNames.append(field.name)
        continue
      }
      if field.value.isPlainField {
        append(fieldName, field.value, name: field.name)
        continue
      }
      // Some recorders join the values of repeated fields with a line end.
      for line in field.value.split(whereSeparator: { $0 == "\n" || $0 == "\r\n" }) {
        append(fieldName, line.trimmingCharacters(in: .whitespaces), name: field.name)
      }
      if field.value.isEmpty { append(fieldName, "", name: field.name) }
    }
  }

  private mutating func append(_ fieldName: HTTPField.Name, _ value: String, name: String) {
    guard HTTPField.isValidValue(value) else {
      namesOfInvalidValues.append(name)
      return
    }
    fields.append(HTTPField(name: fieldName, value: value))
  }
}

extension HTTPFields {
  /// The values of each name, in the order of the names.
  var byName: [(name: HTTPField.Name, values: [String])] {
    var seen: Set<HTTPField.Name> = []
    return map(\.name).filter { seen.insert($0).inserted }.map { ($0, self[values: $0]) }
  }
}

extension String {
  /// Whether the text is one line of visible ASCII, without spaces around it: what nearly all values of fields are.
  fileprivate var isPlainField: Bool {
    guard let first = utf8.first, let last = utf8.last, first > 0x20, last > 0x20 else {
      return false
    }
    return utf8.allSatisfy { (0x20..<0x7F).contains($0) }
  }
}
