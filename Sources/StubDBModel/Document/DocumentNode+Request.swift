internal import Foundation
internal import HTTPTypes
internal import StubDBJSON

extension DocumentNode {
  package func requestPattern() throws(DocumentError) -> RequestPattern {
    let object = try object(.request)
    var pattern = RequestPattern()
    for part in RequestPart.all { try part.read(object, into: &pattern) }
    return pattern
  }

  func methods() throws(DocumentError) -> [HTTPRequest.Method] {
    if case .string = value { return [try method()] }
    var methods: [HTTPRequest.Method] = []
    for node in try list("a method or a list of methods") {
      let method = try node.method()
      if methods.contains(method) {
        throw node.failure(.duplicate, "the method \"\(method.rawValue)\" is given twice")
      }
      methods.append(method)
    }
    if methods.isEmpty {
      throw failure(
        .invalidValue, "the list is empty; leave \"method\" out to match every method")
    }
    return methods
  }

  func method() throws(DocumentError) -> HTTPRequest.Method {
    let text = try string()
    if !context.isTrusted, text.uppercased() == "ANY" {
      throw failure(
        .invalidValue, "\"\(text)\" is not a method; leave \"method\" out to match every method")
    }
    guard let method = HTTPRequest.Method(text) else {
      throw failure(.invalidValue, "\"\(text)\" is not a method; it must be a word such as GET")
    }
    if !context.isTrusted, text != text.uppercased(),
      Self.commonMethods.contains(text.uppercased())
    {
      throw failure(
        .invalidValue,
        "methods are case-sensitive; write \"\(text.uppercased())\", not \"\(text)\"")
    }
    return method
  }

  private static let commonMethods: Set<String> = [
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT",
  ]

  /// Throws for a query parameter that the `url` also contains.
  func check(
    _ named: [NamedPattern], against inURL: [NamedPattern]
  ) throws(DocumentError) {
    for pattern in named where inURL.contains(where: { $0.name == pattern.name }) {
      throw DocumentError(
        .conflict, pointer: place.pointer.appending(pattern.name),
        message: "\"url\" constrains the query parameter \"\(pattern.name)\" too;"
          + " say it in one place")
    }
  }

  func basicCredentials() throws(DocumentError) -> BasicCredentials {
    let object = try object(.basicAuth)
    let username = try object.required("username")
    let credentials = BasicCredentials(
      username: try username.string(), password: try object.required("password").string())
    if credentials.username.contains(":") {
      throw username.failure(.invalidValue, "a user name cannot hold a colon (RFC 7617)")
    }
    return credentials
  }
}
