public import StubDBJSON
public import StubDBSupport

/// An error that a client gets in place of a response, or after a part of one.
public struct ResponseError: Hashable, Sendable {
  /// The error domain, such as `NSURLErrorDomain`.
  @ByBytes public var domain: String
  /// The code in that domain.
  public var code: Int
  /// Other information about the error; values are JSON.
  public var userInfo: JSONObject

  /// Makes an error.
  public init(domain: String, code: Int, userInfo: JSONObject = [:]) {
    self.domain = domain
    self.code = code
    self.userInfo = userInfo
  }

  /// Makes a URL loading error by its name, such as `notConnectedToInternet`; nil for an unknown name.
  public init?(urlErrorName name: String) {
    guard let code = URLErrorNames.code(named: name) else { return nil }
    self.init(domain: URLErrorNames.domain, code: code)
  }
}

/// The names of `URLError.Code`, with their numbers.
///
/// https://developer.apple.com/documentation/foundation/urlerror/code
package enum URLErrorNames {
  /// The domain of these errors.
  package static let domain = "NSURLErrorDomain"

  /// All names, with their numbers.
  package static let codes: [String: Int] = [
    "unknown": -1, "cancelled": -999, "badURL": -1000, "timedOut": -1001,
    "unsupportedURL": -1002, "cannotFindHost": -1003, "cannotConnectToHost": -1004,
    "networkConnectionLost": -1005, "dnsLookupFailed": -1006, "httpTooManyRedirects": -1007,
    "resourceUnavailable": -1008, "notConnectedToInternet": -1009,
    "redirectToNonExistentLocation": -1010, "badServerResponse": -1011,
    "userCancelledAuthentication": -1012, "userAuthenticationRequired": -1013,
    "zeroByteResource": -1014, "cannotDecodeRawData": -1015, "cannotDecodeContentData": -1016,
    "cannotParseResponse": -1017, "internationalRoamingOff": -1018, "callIsActive": -1019,
    "dataNotAllowed": -1020, "requestBodyStreamExhausted": -1021,
    "appTransportSecurityRequiresSecureConnection": -1022, "fileDoesNotExist": -1100,
    "fileIsDirectory": -1101, "noPermissionsToReadFile": -1102,
    "dataLengthExceedsMaximum": -1103, "secureConnectionFailed": -1200,
    "serverCertificateHasBadDate": -1201, "serverCertificateUntrusted": -1202,
    "serverCertificateHasUnknownRoot": -1203, "serverCertificateNotYetValid": -1204,
    "clientCertificateRejected": -1205, "clientCertificateRequired": -1206,
    "cannotLoadFromNetwork": -2000, "cannotCreateFile": -3000, "cannotOpenFile": -3001,
    "cannotCloseFile": -3002, "cannotWriteToFile": -3003, "cannotRemoveFile": -3004,
    "cannotMoveFile": -3005, "downloadDecodingFailedMidStream": -3006,
    "downloadDecodingFailedToComplete": -3007, "backgroundSessionRequiresSharedContainer": -995,
    "backgroundSessionInUseByAnotherProcess": -996, "backgroundSessionWasDisconnected": -997,
  ]

  /// The nearest names, for a name that does not exist.
  package static func advice(on name: String) -> String {
    let names = codes.keys.sorted()
    let longer = names.filter { $0.lowercased().contains(name.lowercased()) }
    if let meant = names.nearest(to: name) ?? (longer.count == 1 ? longer[0] : nil) {
      return "did you mean \"\(meant)\"?"
    }
    let listed = name.isEmpty || longer.isEmpty ? names : longer
    return "write {\"domain\": …, \"code\": …}, or one of \(listed.joined(separator: ", "))"
  }

  /// The number of a name; nil if there is no such name.
  package static func code(named name: String) -> Int? { codes[name] }
}

/// A failure of the connection in place of an answer.
///
/// https://wiremock.org/docs/simulating-faults/
public struct ResponseFault: RawRepresentable, Hashable, Sendable, CaseIterable {
  package enum Kind: String, Sendable, CaseIterable {
    case connectionReset
    case emptyResponse
    case garbage
    case truncated
    case never
  }

  package let kind: Kind

  private init(_ kind: Kind) { self.kind = kind }

  /// The peer resets the connection.
  public static let connectionReset = ResponseFault(.connectionReset)
  /// The connection closes before any byte is sent.
  public static let emptyResponse = ResponseFault(.emptyResponse)
  /// Bytes that are not an HTTP response, then the end.
  public static let garbage = ResponseFault(.garbage)
  /// The response ends before its content does.
  public static let truncated = ResponseFault(.truncated)
  /// Nothing is ever sent.
  public static let never = ResponseFault(.never)

  /// All of this version; later ones may add others.
  public static var allCases: [ResponseFault] { Kind.allCases.map(ResponseFault.init) }

  /// The word in a document.
  public var rawValue: String { kind.rawValue }

  /// The one with this word; nil for a word that this version does not know.
  public init?(rawValue: String) {
    guard let kind = Kind(rawValue: rawValue) else { return nil }
    self.kind = kind
  }
}

extension StubResponse {
  /// Who answers in place of a response.
  public struct Delegation: RawRepresentable, Hashable, Sendable, CaseIterable {
    package enum Kind: String, Sendable, CaseIterable {
      case next
      case passthrough
    }

    package let kind: Kind

    private init(_ kind: Kind) { self.kind = kind }

    /// The next stub that matches, slowed down by this response's delay and throttle.
    public static let next = Delegation(.next)
    /// The real network.
    public static let passthrough = Delegation(.passthrough)

    /// All of this version; later ones may add others.
    public static var allCases: [Delegation] { Kind.allCases.map(Delegation.init) }

    /// The word in a document.
    public var rawValue: String { kind.rawValue }

    /// The one with this word; nil for a word that this version does not know.
    public init?(rawValue: String) {
      guard let kind = Kind(rawValue: rawValue) else { return nil }
      self.kind = kind
    }
  }
}
