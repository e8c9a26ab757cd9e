internal import Foundation
internal import HTTPTypes
package import StubDBDrift
internal import StubDBModel

/// An answer of a stub as a client would get it, or why it cannot be compared.
package enum StoredAnswer: Sendable {
  case answer(SampledAnswer)
  /// Why it cannot be compared, as the beginning of a sentence: `it answers with an error`.
  case none(String)
}

extension ExportedStub {
  /// The answers of the stub, in order, each as the client gets it that sends the request.
  package func storedAnswers(to example: RequestExample) -> [StoredAnswer] {
    played(example).enumerated().map { index, response in
      if let problem = response.templateProblem {
        return .none("its template cannot be filled in: \(problem)")
      }
      if let fault = stub.responses[index].fault {
        return .none("it answers with \(fault.rawValue)")
      }
      switch response.ending {
      case .error: return .none("it answers with an error")
      case .never: return .none("it never answers")
      case .passthrough: return .none("it leaves the request to the network")
      case .next: return .none("it leaves the request to the next stub")
      case .webSocket: return .none("it opens a WebSocket")
      case .complete:
        return .answer(
          SampledAnswer(
            status: response.status, headers: response.headers, content: response.content,
            isHead: example.method == "HEAD"))
      }
    }
  }

  /// A request for which the templates of the answers can be filled in, whatever its host.
  package func anyExample(_ options: ExportOptions = ExportOptions()) -> RequestExample {
    var maker = ExampleMaker(pattern: stub.request.decidedByRequest, options: options)
    return maker.example() ?? RequestExample(method: "GET", url: "https://any.test/")
  }

  /// The operation that the stub answers: its first method, and its path with placeholders for ids.
  package var operation: String? {
    let method = stub.request.methods.first?.rawValue ?? "GET"
    if case .template(let path)? = stub.request.path {
      return ShapeDifference.operation(method, path: path)
    }
    return nil
  }
}
