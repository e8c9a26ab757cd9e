internal import Foundation
internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

/// The end of something whose signature covers it, so that it cannot be moved.
struct SignedEnd {
  /// What ends, as the beginning of a sentence.
  let kind: String
  let date: DateTime

  /// The ends of the web tokens in a text, and of the URL that it is.
  static func ends(in text: String) -> [SignedEnd] {
    var ends = tokens(in: text).compactMap { Self.end(ofToken: $0) }
    if text.contains("ig"), let date = end(ofURL: text) {
      ends.append(SignedEnd(kind: "a signed URL", date: date))
    }
    return ends
  }

  private static func tokens(in text: String) -> [Substring] {
    guard text.contains("eyJ") else { return [] }
    return text.split { !($0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0))) }
      .filter { $0.hasPrefix("eyJ") }
  }

  /// Reads the claim `exp`. https://www.rfc-editor.org/rfc/rfc7519#section-4.1.4
  private static func end(ofToken token: Substring) -> SignedEnd? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    var text = parts[1].replacing("-", with: "+").replacing("_", with: "/")
    text += String(repeating: "=", count: (4 - text.count % 4) % 4)
    guard let payload = Data(base64Encoded: String(text)),
      case .object(let claims)? = try? JSONValue(parsing: payload),
      case .number(let end)? = claims["exp"], let seconds = Double(end.text),
      abs(seconds) < 1e11
    else { return nil }
    return SignedEnd(kind: "a signed token", date: DateTime(clockSeconds: Int(seconds), offset: 0))
  }

  /// Those of S3 and of Google's store, of CloudFront and of Azure.
  private static func end(ofURL text: String) -> DateTime? {
    guard text.contains("?"), let items = URLParts(text)?.query else { return nil }
    let values = Dictionary(items.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }
    for vendor in ["x-amz-", "x-goog-"] {
      guard values[vendor + "signature"] != nil, let begin = values[vendor + "date"],
        let date = (try? DateFormat("yyyyMMdd'T'HHmmss'Z'", zone: 0))?.date(begin),
        let seconds = values[vendor + "expires"].flatMap({ Int($0) }),
        (0...1_000_000_000).contains(seconds)
      else { continue }
      return date.moved(by: seconds, .seconds)
    }
    if values["signature"] != nil, let end = values["expires"].flatMap({ Int($0) }),
      (0...100_000_000_000).contains(end)
    {
      return DateTime(clockSeconds: end, offset: 0)
    }
    return values["sig"] == nil ? nil : values["se"].flatMap(DateText.date)
  }
}
