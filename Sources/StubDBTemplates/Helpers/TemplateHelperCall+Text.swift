import Foundation

extension TemplateHelperCall {
  /// The functions that change texts; nil for others.
  func text() throws(Failure) -> TemplateValue? {
    switch name {
    case "upper": return .text(text(0).uppercased())
    case "lower": return .text(text(0).lowercased())
    case "capitalize": return .text(text(0).prefix(1).uppercased() + text(0).dropFirst())
    case "trim": return .text(text(0).trimmingCharacters(in: .whitespacesAndNewlines))
    case "default":
      return arguments[0] == .null || arguments[0] == .text("") ? arguments[1] : arguments[0]
    case "concat": return .text(arguments.map(\.plainText).joined())
    case "substring": return .text(try substring())
    case "replace": return .text(try replaced())
    case "split": return .list(try split())
    case "join": return .text(try joined())
    default: return nil
    }
  }

  /// Characters from one place up to another, both from 0; what is beyond the end is cut.
  private func substring() throws(Failure) -> String {
    let text = text(0)
    let start = max(0, try integer(1))
    let end = arguments.count > 2 ? try integer(2) : .max
    guard start < end else { return "" }
    return String(text.dropFirst(start).prefix(end - start))
  }

  private func replaced() throws(Failure) -> String {
    let (text, part, other) = (text(0), text(1), text(2))
    guard !part.isEmpty else { throw Failure(message: "the text to replace is empty") }
    let pieces = text.components(separatedBy: part)
    try checkRoom(text.utf8.count + pieces.count * other.utf8.count)
    return pieces.joined(separator: other)
  }

  private func split() throws(Failure) -> [TemplateValue] {
    guard !text(1).isEmpty else { throw Failure(message: "the text to split at is empty") }
    return text(0).components(separatedBy: text(1)).map(TemplateValue.text)
  }

  private func joined() throws(Failure) -> String {
    guard case .list(let elements) = arguments[0] else {
      throw Failure(message: "\(shown(arguments[0])) is not a list")
    }
    try checkRoom(arguments[0].weight + elements.count * text(1).utf8.count)
    return elements.map(\.plainText).joined(separator: text(1))
  }
}
