public import HTTPTypes
public import StubDBSupport

/// A call that a service makes after its answer, such as the news that a payment went through.
///
/// Many services call it a webhook. `stubdb serve` makes it if it is allowed to; in a test it is an event to wait for.
public struct ResponseCallback: Hashable, Sendable {
  /// The method, case-sensitive.
  @ByBytes public var method: String
  /// The absolute URL that is called; `http` or `https`.
  @ByBytes public var url: String
  /// The header fields; fields of one name keep their order.
  @ByBytes public var headers: HTTPFields
  /// The content, in memory; nil without content.
  public var body: ResponseBody?
  /// The time after the answer, and then between one call and the next.
  public var after: Duration
  /// How often the call is made, 1 to 100; of other numbers the nearest one counts.
  public var times: Int {
    didSet { times = Self.validTimes(times) }
  }
  /// Whether placeholders in the URL, the header fields and the content are filled in; false by default.
  public var isTemplate: Bool

  /// Makes a callback; without further arguments an empty `POST` immediately after the answer.
  public init(
    _ url: String, method: String = "POST", headers: HTTPFields = [:], body: ResponseBody? = nil,
    after: Duration = .zero, times: Int = 1, isTemplate: Bool = false
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.after = after
    self.times = Self.validTimes(times)
    self.isTemplate = isTemplate
  }

  /// How often a call can be made.
  package static let timesRange = 1...100

  private static func validTimes(_ number: Int) -> Int {
    min(max(number, timesRange.lowerBound), timesRange.upperBound)
  }

  /// Why a URL cannot be called, as the end of a sentence; nil if it can.
  package static func problem(ofURL url: String) -> String? {
    if !url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) {
      return "has a character that a URL cannot have; write it percent-encoded"
    }
    guard let parts = URLParts(url), let scheme = parts.scheme, parts.host ?? "" != "",
      parts.path.hasPrefix("/")
    else { return "is not a URL that can be called; write https://host/path" }
    if scheme != "http", scheme != "https" { return "is called with neither http nor https" }
    if parts.fragment != nil { return "has a fragment (\"#\"), which is never sent; leave it out" }
    if parts.userInformation != nil {
      return "has user information, which is not sent; give an Authorization header field"
    }
    return nil
  }
}
