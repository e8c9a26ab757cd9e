/// The text styles, which do nothing without colors.
struct Style {
  /// Whether escape sequences are written.
  var isColored: Bool

  /// For standard output.
  static var output: Style { Style(isColored: Terminal.current.hasColoredOutput) }
  /// For standard error.
  static var notes: Style { Style(isColored: Terminal.current.hasColoredNotes) }

  func bold(_ text: String) -> String { wrap(text, "1") }
  func dim(_ text: String) -> String { wrap(text, "2") }
  func red(_ text: String) -> String { wrap(text, "31") }
  func green(_ text: String) -> String { wrap(text, "32") }
  func yellow(_ text: String) -> String { wrap(text, "33") }
  func cyan(_ text: String) -> String { wrap(text, "36") }

  private func wrap(_ text: String, _ code: String) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
