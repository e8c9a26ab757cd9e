internal import Foundation
internal import StubDBModel

/// Translates one pair of a request and a response, of any version.
struct HoverflyPairReader {
  let input: ImportInput
  let options: ImportOptions
  let version: Int
  let literals: [String: String]

  /// The pair; none if it was left out, which the report says.
  func pairs(of value: SourceValue) throws(FormatError) -> [HoverflyPair] {
    let item = input.log.beginItem()
    let source = ReportSource(value, item: item)
    return try StubTranslation.attempt(
      source, conditions: [value["request"]], isLenient: options.isLenient
    ) {
      guard value.isObject, let request = value["request"], let response = value["response"] else {
        throw Untranslatable("its request", "it has none")
      }
      var pair = HoverflyPair(value: value, items: [item])
      pair.labels = (value["labels"]?.elements ?? []).compactMap(\.text)
      var reader = HoverflyRequestReader(version: version, isLenient: options.isLenient)
      pair.stub.request = try reader.request(request)
      pair.score = reader.score
      pair.requiredState = try Self.texts(request["requiresState"])
      pair.score += pair.requiredState.count
      pair.stub.responses = [try self.response(response)]
      pair.newState = try Self.texts(response["transitionsState"])
      if pair.newState.values.contains(where: { $0.contains("{{") }) {
        throw Unanswerable("its next state is a template")
      }
      pair.removedState = (response["removesState"]?.elements ?? []).compactMap(\.text)
      return [pair]
    } ?? []
  }

  private static func texts(_ value: SourceValue?) throws -> [String: String] {
    guard let value, !value.isNull else { return [:] }
    guard value.isObject else { throw Untranslatable("a state", "it is \(value.typeName)") }
    var texts: [String: String] = [:]
    for member in value.members {
      guard let text = member.value.text else { throw Untranslatable("a state") }
      texts[member.name] = text
    }
    return texts
  }

  // MARK: Response

  private func response(_ value: SourceValue) throws -> StubResponse {
    guard value.isObject else { throw Unanswerable("its response is \(value.typeName)") }
    var response = ResponseBuilder()
    if let status = value.integer("status"), status != 0 { response.status = status }
    response.addHeaders(value["headers"])
    value["headers"]?.keep()
    let isTemplate = value.flag("templated")
    try addBody(value, to: &response)
    if let delay = try HoverflyDelays.fixed(value["fixedDelay"]) {
      response.delay = delay
    } else if let delay = value.given("logNormalDelay") {
      response.delay = try HoverflyDelays.lognormal(delay)
    }
    value["postServeAction"]?.dropAction(
      "What is done after the answer (postServeAction) is not done")
    var answer = try response.checked()
    if isTemplate {
      try TemplateTranslation.apply(
        to: &answer, at: value, isLenient: options.isLenient,
        placeholder: HoverflyTemplates(literals: literals).placeholder)
    }
    return answer
  }

  private func addBody(_ value: SourceValue, to response: inout ResponseBuilder) throws {
    let isEncoded = value.flag("encodedBody")
    if let file = value["bodyFile"], let name = file.text, !name.isEmpty {
      value.ignore("body")
      guard !name.contains("://") else {
        throw Unanswerable("its content is at a URL, which is not asked for")
      }
      return try response.setFile(name, at: file, of: input)
    }
    guard let text = value.text("body"), !text.isEmpty else { return }
    if isEncoded {
      try response.setBase64(text)
    } else {
      response.setText(text)
      // A text is not in the coding that the header field says.
      response.removeHeader("Content-Encoding")
    }
  }
}
