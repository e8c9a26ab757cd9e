package import StubDBJSON

/// How documents are read beyond what the rows of a catalog have.
///
/// Apart from the reader, so that a test, which reads rows only, does not compile it.
package protocol DocumentRules {
  /// Reads `events` as chunks.
  func readEvents(
    _ events: DocumentNode, into response: inout WrittenResponse
  ) throws(DocumentError)

  /// The content of the file that a response names.
  func content(ofFile file: DocumentNode) throws(DocumentError) -> ResponseBody

  /// The one operator of an object, after checking that every other key is an option of it.
  func mainOperator(
    of node: DocumentNode, _ members: JSONObject, _ operators: DocumentOperators,
    besides others: [String]
  ) throws(DocumentError) -> String

  /// Throws for members of a response that have no effect together.
  func check(_ response: WrittenResponse, of object: DocumentObject) throws(DocumentError)

  /// Throws for frames that are never reached, and for a repetition that is impossible.
  func check(_ script: WebSocketScript, of object: DocumentObject) throws(DocumentError)

  /// Throws for path parameters without a placeholder in the path.
  func checkPathParameters(
    of pattern: RequestPattern, _ object: DocumentObject
  ) throws(DocumentError)

  /// Throws for what cannot be the name of a cookie or of a path parameter.
  func check(
    _ name: String, _ names: DocumentNames, of node: DocumentNode
  ) throws(DocumentError)

  /// The scheme in the form in which schemes are compared.
  func scheme(_ text: String, of node: DocumentNode) throws(DocumentError) -> String

  /// The host in the form in which hosts are compared.
  func host(_ text: String, of node: DocumentNode) throws(DocumentError) -> String

  /// Throws for a URL that cannot be called.
  func check(callbackURL text: String, of node: DocumentNode) throws(DocumentError)

  /// What to write in place of an unknown key; nil to advise the nearest one.
  func advice(on unknown: String, in object: DocumentObject) -> String?
}
