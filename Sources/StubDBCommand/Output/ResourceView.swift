import HTTPTypes
import StubDBDocuments
import StubDBEditing
import StubDBJSON
import StubDBJobs
import StubDBModel
import StubDBSupport

/// A resource as text.
struct ResourceView {
  private let resource: Resource
  private let stub: Stub

  /// Nil for a stub without a resource.
  init?(_ stub: Stub) {
    guard let resource = stub.resource else { return nil }
    (self.resource, self.stub) = (resource, stub)
  }

  /// A text such as `resource of 3 items after 1s`.
  var headline: String {
    let items = stub.seedCount.map { Plural.of($0, "item") } ?? "items"
    let delay = stub.responses.last.flatMap { ResponsePart.delay.phrase(of: $0) }
    return "resource of \(items)" + (delay.map { " \($0)" } ?? "")
  }

  /// What identifies an item, how a list is divided, and header fields, one per line.
  var details: [String] {
    let kind = resource.isInteger ? "a whole number that counts up" : "a UUID for new items"
    var lines = ["id: \(TerminalText.line(resource.member)), \(kind)"]
    if let limit = resource.limit, let start = resource.start {
      let size = resource.size.map { ", \($0) items if the request does not say" } ?? ""
      lines.append("pages: by \(TerminalText.line(limit)) and \(TerminalText.line(start))\(size)")
    }
    let fields = stub.responses.last?.headers.map {
      "\($0.name.rawName): \(TerminalText.line($0.value))"
    }
    return lines + (fields ?? [])
  }
}

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
        return routes.map { (stub, RequestView(pattern: $0.request).requestLine, $0.answers) }
      }
      return [(stub, RequestView(stub: stub).requestLine, StubView.headline(of: stub))]
    }
  }
}
