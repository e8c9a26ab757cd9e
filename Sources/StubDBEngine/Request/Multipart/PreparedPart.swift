/// A part of multipart content.
struct PreparedPart {
  /// The name in its `Content-Disposition`; nil if there is none.
  var name: String?
  /// The file name in its `Content-Disposition`; nil if there is none.
  var filename: String?
  /// Its header fields in order, values trimmed.
  var headers: [(name: String, value: String)]
  /// Its content.
  var body: PreparedBody

  func values(ofHeader name: String) -> FieldValues {
    FieldValues(
      headerLines: headers.compactMap { ByteText.isSameName($0.name, name) ? $0.value : nil })
  }
}
