internal import Foundation

/// The URLs that curl's `{a,b}` and `[1-3]` represent.
///
/// https://curl.se/docs/manpage.html#URL
enum CurlGlob {
  /// How many URLs one pattern may represent here.
  private static let maximumCount = 1_000

  /// The URLs in curl's order; braces without a comma stay, because documentation uses them as placeholders.
  static func urls(_ url: String) throws(CurlError) -> [String] {
    var urls = [""]
    // What is the same in all of them; scalars, because a combining mark may follow a bracket.
    var plain = String.UnicodeScalarView()
    var rest = url.unicodeScalars[...]
    // An IPv6 address is written in brackets.
    if let authority = url.range(of: "://["),
      let close = rest[authority.upperBound...].firstIndex(of: "]")
    {
      plain.append(contentsOf: rest[...close])
      rest = rest[close...].dropFirst()
    }
    while let scalar = rest.popFirst() {
      guard let choices = try choices(scalar, &rest, url) else {
        plain.append(scalar)
        if scalar == "\\", let escaped = rest.popFirst() { plain.append(escaped) }
        continue
      }
      guard urls.count * choices.count <= maximumCount else {
        throw CurlError("\(url) expands to more than \(maximumCount) URLs; write fewer")
      }
      urls = urls.flatMap { url in choices.map { url + String(plain) + $0 } }
      plain = .init()
    }
    return urls.map { $0 + String(plain) }
  }

  /// What a `{…}` or `[…]` that begins with a scalar represents; nil for other text.
  private static func choices(
    _ scalar: Unicode.Scalar, _ rest: inout Substring.UnicodeScalarView, _ url: String
  ) throws(CurlError) -> [String]? {
    guard scalar == "{" || scalar == "[",
      let close = rest.firstIndex(of: scalar == "{" ? "}" : "]")
    else { return nil }
    let inside = Substring(rest[..<close])
    guard let found = scalar == "{" ? list(inside) : try range(inside, url) else { return nil }
    rest = rest[close...].dropFirst()
    return found
  }

  private static func list(_ text: Substring) -> [String]? {
    guard text.contains(",") else { return nil }
    return text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }

  /// `1-3`, `001-100`, `1-10:2` or `a-z`; nil for other texts.
  private static func range(_ text: Substring, _ url: String) throws(CurlError) -> [String]? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, parts.count < 3, let first = ends[0].first, let last = ends[1].first
    else { return nil }
    let step = parts.count > 1 ? Int(parts[1]) ?? 0 : 1
    guard step > 0 else { return nil }
    if ends[0].count == 1, ends[1].count == 1, first.isLetter, last.isLetter,
      let low = first.asciiValue, let high = last.asciiValue, low <= high
    {
      return stride(from: Int(low), through: Int(high), by: step).map {
        String(UnicodeScalar(UInt8($0)))
      }
    }
    guard let low = Int(ends[0]), let high = Int(ends[1]), low >= 0, low <= high else { return nil }
    guard (high - low) / step < maximumCount else {
      throw CurlError("\(url) expands to more than \(maximumCount) URLs; write fewer")
    }
    let width = ends[0].hasPrefix("0") ? ends[0].count : 0
    return stride(from: low, through: high, by: step).map { number in
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
  }
}
