extension URLParts {
  /// The names of the `{name}` segments of a pattern's path, in order.
  package static func placeholders(of template: String) -> [String] {
    template.split(separator: "/").compactMap { segment in
      isPlaceholder(segment) ? String(segment.dropFirst().dropLast()) : nil
    }
  }
}
