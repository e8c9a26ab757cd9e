internal import HTTPTypes
internal import StubDBModel

/// Keeps a stub from answering a request for which there is a stub with more parameters.
enum QueryExactness {
  private struct Target: Hashable {
    var methods: [HTTPRequest.Method]
    var host: ValuePattern?
    var path: PathPattern?
  }

  /// Sets `queryIsExact` where another stub of the same method and path has a superset of the parameters.
  static func settle(_ stubs: inout [ImportedStub]) {
    let places = Dictionary(grouping: stubs.indices) { place in
      let request = stubs[place].stub.request
      return Target(methods: request.methods, host: request.host, path: request.path)
    }
    for group in places.values where group.count > 1 {
      let queries = group.map { Set(stubs[$0].stub.request.query) }
      guard Set(queries).count > 1 else { continue }
      for (place, query) in zip(group, queries)
      where queries.contains(where: { $0.isStrictSuperset(of: query) }) {
        stubs[place].stub.request.queryIsExact = true
      }
    }
  }
}
