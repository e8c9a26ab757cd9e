/// Numbers with their nouns.
enum Counted {
  /// Such as `1 stub` and `3 stubs`.
  static func of(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  /// Such as `1 byte`, `900 bytes` and `12 KB`.
  static func bytes(_ count: Int) -> String {
    switch count {
    case ..<10_000: of(count, "byte")
    case ..<10_000_000: "\(count / 1000) KB"
    default: "\(count / 1_000_000) MB"
    }
  }
}
