/// What stands between two pairs of braces.
struct TemplateTag {
  /// Where its first brace is, in bytes.
  var offset: Int
  /// What is between the braces, without the marks for white space.
  var content: Range<Int>
  /// Whether white space before it, and behind it, is dropped.
  var trims: (before: Bool, after: Bool)
}
