import StubDBDocuments
import StubDBEditing
import StubDBJSON
import StubDBJobs
import StubDBModel

/// The routes of stubs as text: those of a resource, and one for each other stub.
struct RouteView {
  let stubs: [Stub]

  /// A line for each route, with the key, the request line and the answers; or a list in JSON.
  func text(asJSON: Bool) -> String {
    if asJSON { return json.text }
    var table = Table([.left, .left, .left])
    for (stub, request, answers) in routes {
      table.add([TerminalText.line(stub.key.rawValue), request, TerminalText.line(answers)])
    }
    return table.text(fitting: Terminal.current.columns)
  }

  private var json: OrderedJSON {
    .array(
      routes.map { stub, request, answers in
        .object([
          ("key", .string(stub.key.rawValue)), ("request", .string(request)),
          ("answers", .string(answers)),
        ])
      })
  }

  private var routes: [(stub: Stub, request: String, answers: String)] {
    stubs.flatMap { stub in
      let routes = StubRoute.all(of: stub)
      guard routes.isEmpty else {
        return routes.map { (stub, $0.request.phrase.line, $0.answers) }
      }
      return [(stub, stub.requestPhrase.line, StubView.headline(of: stub))]
    }
  }
}
