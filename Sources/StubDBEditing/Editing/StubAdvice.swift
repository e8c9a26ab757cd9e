internal import Foundation
internal import StubDBEngine
package import StubDBJobs
package import StubDBModel

/// Advice on stubs that are valid, and that rarely do what other tools' users mean by them.
package enum StubAdvice {
  /// The lines on a stub that was written; usually none.
  package static func lines(on stub: Stub) -> [JobText] {
    let key = SecretDisplay.text(stub.key.rawValue)
    return [anyMethod(in: stub), literalSegment(in: stub), unusedTemplate(in: stub)]
      .compactMap(\.self)
      .map { "Note on stub \(key): \($0)" }
  }

  /// Other tools' stubs answer `GET` unless they say more.
  private static func anyMethod(in stub: Stub) -> String? {
    guard stub.answersAnyMethod, stub.resource == nil else { return nil }
    return "it answers any method; --method GET, or \"method\": \"GET\", restricts it."
  }

  /// `:id` and `*` are placeholders elsewhere.
  private static func literalSegment(in stub: Stub) -> String? {
    guard case .template(let path) = stub.request.path else { return nil }
    for segment in path.split(separator: "/") {
      let text = String(segment)
      if segment == "*" {
        return
          "* in the path is only the character; for any one segment write {name}, for any number **."
      }
      if segment.first == ":", segment.count > 1 {
        return "\(text) in the path is only this text; for any segment write {\(text.dropFirst())}."
      }
    }
    return nil
  }

  /// How expressions begin that are filled in from the request or the run.
  private static let expressions = ["request.", "captured.", "jsonPath ", "now", "random"]

  /// Expressions in a response that is no template are sent as they are.
  private static func unusedTemplate(in stub: Stub) -> String? {
    // The items of a resource are no template.
    let responses = stub.resource == nil ? stub.responses : Array(stub.responses.dropLast())
    for response in responses where !response.isTemplate {
      guard let bytes = response.body?.bytes, let text = String(validating: bytes, as: UTF8.self),
        let start = text.firstRange(of: "{{")?.upperBound,
        let end = text[start...].firstRange(of: "}}")?.lowerBound
      else { continue }
      let expression = text[start..<end].trimmingCharacters(in: .whitespaces)
      guard expressions.contains(where: expression.hasPrefix) else { continue }
      let shown = SecretDisplay.text("{{\(expression)}}")
      return "\(shown) is sent as text; \"template\": true, or --template, fills it in."
    }
    return nil
  }
}
