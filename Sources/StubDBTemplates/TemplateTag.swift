/// The content between two pairs of braces.
struct TemplateTag {
  /// The offset of its first brace, in bytes.
  var offset: Int
  /// The text between the braces, without the marks that trim white space.
  var content: Range<Int>
  /// Whether the white space before and after the tag is dropped.
  var trims: (before: Bool, after: Bool)
}
