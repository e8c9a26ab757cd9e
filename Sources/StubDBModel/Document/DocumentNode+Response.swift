internal import Foundation
internal import HTTPTypes
internal import StubDBJSON
internal import StubDBSupport

extension DocumentNode {
  package func response() throws(DocumentError) -> StubResponse {
    let object = try object(.response)
    var response = WrittenResponse()
    for part in ResponsePart.all { try part.read(object, into: &response) }
    if !context.isTrusted { try context.rules?.check(response, of: object) }
    return response.response
  }

  /// Reads a status code, or the template for it.
  func readStatus(into response: inout WrittenResponse) throws(DocumentError) {
    if case .string(let template) = value {
      response.statusTemplate = template
    } else {
      response.status = try integer("the status", in: 100...999)
    }
  }

  func headerFields() throws(DocumentError) -> HTTPFields {
    var fields = HTTPFields()
    var members = try members("an object of header fields").map {
      (lowercase: $0.name.lowercased(), name: $0.name, node: $0.node)
    }
    if !zip(members, members.dropFirst()).allSatisfy({ $0.lowercase <= $1.lowercase }) {
      members.sort { $0.lowercase < $1.lowercase }
    }
    var previous: String?
    for (lowercase, name, node) in members {
      defer { previous = lowercase }
      guard let fieldName = HTTPField.Name(name) else { throw node.headerNameFailure(name) }
      if !context.isTrusted, lowercase == previous {
        throw node.failure(
          .duplicate,
          "the header field \"\(name)\" is given twice; give several values as a list")
      }
      if case .string(let value) = node.value {
        try node.requireRoom(for: 1, in: fields)
        fields.append(try node.headerField(fieldName, value))
        continue
      }
      let values = try node.list("a string or a list of strings")
      if values.isEmpty { throw node.failure(.invalidValue, "the list of values is empty") }
      try node.requireRoom(for: values.count, in: fields)
      for value in values {
        fields.append(try value.headerField(fieldName, try value.string()))
      }
    }
    return fields
  }

  private func requireRoom(for count: Int, in fields: HTTPFields) throws(DocumentError) {
    if count <= StubResponse.maximumHeaderCount - fields.count { return }
    throw failure(
      .invalidValue, "a response has at most \(StubResponse.maximumHeaderCount) header fields")
  }

  private func headerField(
    _ name: HTTPField.Name, _ value: String
  ) throws(DocumentError) -> HTTPField {
    guard context.isTrusted || HTTPField.isValidValue(value) else {
      throw failure(
        .invalidValue,
        "the value of \"\(name.rawName)\" is not allowed (RFC 9110): it has a line"
          + " break, another control character, or white space at an end")
    }
    return HTTPField(name: name, value: value)
  }

  func responseError() throws(DocumentError) -> ResponseError {
    if case .string(let name) = value {
      if let error = ResponseError(urlErrorName: name) { return error }
      throw failure(
        .invalidValue, "\"\(name)\" is not a URLError name; \(URLErrorNames.advice(on: name))")
    }
    guard case .object = value else {
      throw wrongType("a URLError name such as \"timedOut\", or {\"domain\": …, \"code\": …}")
    }
    let object = try object(.error)
    var error = ResponseError(
      domain: try object.required("domain").filledString("the domain"),
      code: try object.required("code").integer("the code"))
    if let userInfo = object["userInfo"] {
      guard case .object(let members) = userInfo.value else {
        throw userInfo.wrongType("an object")
      }
      error.userInfo = members
    }
    return error
  }
}

extension DocumentObject {
  /// The content under one of the keys; nil if none of them is present.
  func content(_ parts: [ResponsePart]) throws(DocumentError) -> ResponseBody? {
    let given = parts.filter { has($0.rawValue) }
    guard let part = given.first, let content = self[part.rawValue] else { return nil }
    if given.count > 1 {
      throw node.failure(
        .conflict,
        "\"\(given[0].rawValue)\" and \"\(given[1].rawValue)\" are given together;"
          + " \(kind.name) has one content")
    }
    switch part {
    case .json: return .json(content.value)
    case .text: return .text(try content.string())
    case .base64: return .data(try content.base64())
    default:
      // The rows of a catalog have no files.
      guard let rules else { throw content.wrongType("no file") }
      return try rules.content(ofFile: content)
    }
  }
}

extension StubResponse {
  /// The status codes that a document may give.
  ///
  /// An interim status, 100 to 199, is no answer: after one, a client goes on waiting for the response.
  /// https://www.rfc-editor.org/rfc/rfc9110#section-15.2
  package static let finalStatuses = 200...999
}

extension DocumentObject {
  /// What answers in place of the response; nil for the response itself.
  func delegation() throws(DocumentError) -> StubResponse.Delegation? {
    let (isNext, isPassthrough) = (try flag("next"), try flag("passthrough"))
    if isNext, isPassthrough {
      throw (self["next"] ?? node).failure(
        .conflict, "\"passthrough\" and \"next\" are given together; choose one")
    }
    return isNext ? .next : isPassthrough ? .passthrough : nil
  }
}
