#if Server
import Foundation
import StubDBDocuments
import StubDBEditing
import StubDBJSON
import StubDBModel
import StubDBSecrets

extension AdminProblem {
  /// What a refusal of a stub or a document, whose text is given, means to a client.
  init(_ refusal: EditRefusal, isStub: Bool, text: Data) {
    self.init(422, "refused-document", "The document is refused", "")
    switch refusal {
    case .unplayable(let problem, _):
      detail = problem.reason
      let place = isStub ? [] : ["stubs", String(problem.index)]
      let pointer = ScenarioDocument.place(
        JSONPointer(place + problem.pointer.tokens), in: text)
      members["pointer"] = .string(pointer.description)
    case .hidden(_, let other, _):
      detail =
        "The stub \"\(other.key)\" comes first and answers every such request, so this one never "
        + "would; give it a smaller \"priority\", or change the other one."
      members["pointer"] = "/request"
    case .missingInclude(let missing, let name, _):
      detail = "The scenario \"\(name)\" includes \"\(missing)\", which the catalog does not have."
      members["pointer"] = "/includes"
    case .secrets(let findings): self.init(findings, isStub: isStub)
    default: detail = "\(refusal)"
    }
  }

  private init(_ findings: [SecretFinding], isStub: Bool) {
    let first = findings[0]
    // A stub stands in a scenario only to be searched.
    let pointer = first.place.pointer.dropFirst(isStub ? "/stubs/0".count : 0)
    let rest = findings.count == 1 ? "" : ", and \(findings.count - 1) more"
    self.init(
      422, "secrets", "Secrets in the document",
      "This is a secret (\(first.kind.title), \(first.secret.byteCount) bytes\(rest)), and whoever gets "
        + "the catalog could read it. Take it out, or send StubDB-Allow-Secrets: true to write it all the "
        + "same.", ["pointer": .string(String(pointer))])
  }
}
#endif
