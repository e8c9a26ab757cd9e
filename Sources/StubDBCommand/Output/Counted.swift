/// Numbers with nouns.
enum Counted {
  /// A text such as `1 stub` or `3 stubs`.
  static func of(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  /// A text such as `1 byte`, `900 bytes` or `12 KB`.
  static func bytes(_ count: Int) -> String {
    switch count {
    case ..<10_000: of(count, "byte")
    case ..<10_000_000: "\(count / 1000) KB"
    default: "\(count / 1_000_000) MB"
    }
  }
}
