internal import Foundation
internal import StubDBJSON

/// Makes numbers within the bounds of a schema.
enum SchemaNumber {
  static func value(_ schema: SourceValue, isInteger: Bool) -> JSONValue {
    let step = schema["multipleOf"]?.number ?? (isInteger ? 1 : 0)
    var value = 0.0
    if let least = schema["minimum"]?.number {
      value = least
      if schema["exclusiveMinimum"]?.bool == true { value += step > 0 ? step : 0.5 }
    } else if let least = schema["exclusiveMinimum"]?.number {
      value = least + (step > 0 ? step : 0.5)
    } else if let most = schema["maximum"]?.number, most < 0 {
      value = most
    } else if let most = schema["exclusiveMaximum"]?.number, most <= 0 {
      value = most - (step > 0 ? step : 0.5)
    }
    if step > 0 { value = (value / step).rounded(.up) * step }
    if let whole = Int(exactly: value) { return .number(JSONNumber(whole)) }
    return JSONNumber(value).map(JSONValue.number) ?? 0
  }
}

/// Makes texts that a schema allows.
enum SchemaText {
  private static let formats = [
    "date-time": "2026-01-01T00:00:00Z", "date": "2026-01-01", "time": "00:00:00Z",
    "duration": "P1D", "email": "user@example.com", "idn-email": "user@example.com",
    "uuid": "00000000-0000-4000-8000-000000000000", "uri": "https://example.com",
    "url": "https://example.com", "iri": "https://example.com", "uri-reference": "/",
    "iri-reference": "/", "hostname": "example.com", "idn-hostname": "example.com",
    "ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "byte": "c3RyaW5n", "binary": "",
    "password": "string", "regex": ".*", "json-pointer": "/a",
  ]

  static func value(_ schema: SourceValue) -> String {
    if let format = schema["format"]?.text, let text = formats[format] { return text }
    var text = "string"
    if let pattern = schema["pattern"]?.text, let made = PatternText(pattern)?.text { text = made }
    if let most = schema["maxLength"]?.integer, most >= 0, text.count > most {
      text = String(text.prefix(most))
    }
    if let least = schema["minLength"]?.integer, (0...10_000).contains(least), !text.isEmpty {
      while text.count < least { text += text.prefix(least - text.count) }
    }
    return text
  }
}
