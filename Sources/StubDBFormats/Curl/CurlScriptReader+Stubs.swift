internal import Foundation
internal import StubDBModel

/// The stubs of the requests of a script.
extension CurlScriptReader {
  /// Equal requests become one stub; no evidence counts here, because all answers are the same.
  func stubs(of exchanges: [RecordedExchange]) -> [ImportedStub] {
    var options = options
    options.flags.insert(.all)
    let requests = RequestReader(options: options)
    var groups = CallGroups()
    for exchange in ExchangeFilter(options: options).apply(to: exchanges, log: input.log) {
      var exchange = exchange
      let authority = freeAuthority(of: &exchange)
      exchange.url = freePlaceholders(of: exchange)
      guard let url = requests.url(of: exchange),
        var call = requests.call(exchange, url: url, response: ResponseBuilder().response)
      else { continue }
      do {
        call.pattern = try call.pattern.freeingVariables()
        if authority == .port { (call.pattern.scheme, call.pattern.port) = (nil, nil) }
        groups.add(call)
      } catch {
        exchange.source.drop(
          .stubLeftOut,
          "The stub was left out, because any value cannot be said for a variable in its content")
      }
    }
    var list = groups.list
    EmptyContents.settle(&list)
    var stubs = list.map { group in
      ImportedStub(
        stub: Stub(key: .unset, request: group.pattern, responses: group.responses),
        name: nil, items: group.calls.compactMap(\.exchange.source.item),
        hasFreeQuery: group.calls.contains { $0.hasFreeQuery })
    }
    QueryExactness.settle(&stubs)
    return RequestOrder.sorted(stubs) { $0.stub.request }
  }

  private enum FreeAuthority { case none, host, port }

  /// Takes a variable out of the place of the host or the port.
  private func freeAuthority(of exchange: inout RecordedExchange) -> FreeAuthority {
    guard let start = exchange.url.range(of: "://")?.upperBound else { return .none }
    let rest = exchange.url[start...]
    let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
    let authority = rest[..<end]
    guard OpenVariable.isIn(String(authority)) else {
      return OpenVariable.isIn(String(exchange.url[..<start])) ? dropHost(end, &exchange) : .none
    }
    if let colon = authority.lastIndex(of: ":"), !OpenVariable.isIn(String(authority[..<colon])) {
      exchange.url = String(exchange.url[..<colon] + rest[end...])
      return .port
    }
    return dropHost(end, &exchange)
  }

  private func dropHost(
    _ end: String.Index, _ exchange: inout RecordedExchange
  ) -> FreeAuthority {
    let path = exchange.url[end...]
    exchange.url = path.hasPrefix("/") ? String(path) : "/\(path)"
    return .host
  }

  /// The URL with `{id}`, which documentation writes for any value, as a variable.
  private func freePlaceholders(of exchange: RecordedExchange) -> String {
    exchange.url.replacing(#/\{([A-Za-z_][\w-]*)\}/#) { match in
      exchange.source.add(
        .changed, .variable, "{\(match.1)} has no value; whatever stands in its place matches")
      return OpenVariable.marked(String(match.1))
    }
  }
}
