internal import StubDBDocuments
internal import StubDBEngine
internal import StubDBModel

/// Patterns that only a value satisfies which is there.
///
/// An operator that is about what a value is not, such as `not`, is satisfied by a missing one here. In other tools, a
/// name that a request does not have satisfies none.
enum PresentValue {
  /// The pattern, which a missing value does not satisfy.
  static func demanded(_ pattern: ValuePattern) -> ValuePattern { .and([.contains(""), pattern]) }

  /// The patterns of cookies, of which a missing one satisfies `absent` alone.
  static func demanded(_ cookies: [NamedPattern]) -> [NamedPattern] {
    let request = StubRequest(method: "GET", url: "http://example.test/")
    return cookies.map { cookie in
      let isFree =
        cookie.pattern != .absent
        && ExportedRun.matches(request, RequestPattern(cookies: [cookie]))
      return isFree ? NamedPattern(cookie.name, demanded(cookie.pattern)) : cookie
    }
  }
}
