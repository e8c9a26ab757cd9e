internal import StubDBModel

/// How the answers of several servers to one request are combined, where stubs match any host.
enum AnyHost {
  /// The scheme, host and port that a request was sent to, as reports show them.
  private static func server(of exchange: RecordedExchange) -> String {
    guard let url = URLParts(exchange.url), let host = url.host else { return "" }
    let port = url.port.map { ":\($0)" } ?? ""
    return "\(url.scheme.map { "\($0)://" } ?? "")\(host)\(port)"
  }

  /// The group with the answers of the server that was asked first.
  ///
  /// One after another, those of several would be a sequence that no server gave. The report says which were left out.
  static func settled(_ group: CallGroup) -> CallGroup {
    guard !group.hasOneAnswer else { return group }
    let servers = group.calls.map { server(of: $0.exchange) }
    let first = servers[0]
    guard servers.contains(where: { $0 != first }) else { return group }
    var kept = group
    kept.calls = []
    var others = OrderedGroups<String, CallGroup>()
    for (call, server) in zip(group.calls, servers) {
      if server == first {
        kept.calls.append(call)
      } else {
        others[server, default: CallGroup(pattern: group.pattern, calls: [])].calls.append(call)
      }
    }
    let responses = kept.responses
    for (server, other) in others.list {
      if other.responses == responses {
        kept.equalItems += other.calls.compactMap(\.exchange.source.item)
        continue
      }
      for call in other.calls {
        call.exchange.source.drop(
          .stubLeftOut,
          "\(server) answers otherwise than \(first); with --any-host the stub answers as \(first) does"
        )
      }
    }
    return kept
  }
}
