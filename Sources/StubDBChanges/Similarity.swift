internal import StubDBDocuments
internal import StubDBJSON
internal import StubDBModel

/// The similarity of two values, from 0 (nothing in common) to 1 (equal).
enum Similarity {
  /// The depth and the number of elements beyond which values are compared for equality only.
  private static let depth = 4
  private static let width = 24

  static func of(_ left: JSONValue, _ right: JSONValue) -> Double {
    of(left, right, depth: depth)
  }

  /// The similarity of two stubs, keys aside; the request and the responses have the greatest weight.
  static func of(_ left: Stub, _ right: Stub) -> Double {
    if left.request == right.request, left.responses == right.responses { return 1 }
    guard case .object(let leftParts) = left.partsValue,
      case .object(let rightParts) = right.partsValue
    else { return 0 }
    func share(_ name: String) -> Double {
      guard let left = leftParts[name], let right = rightParts[name] else { return 0 }
      return of(left, right)
    }
    return share("request") / 2 + share("responses") / 2
  }

  private static func of(_ left: JSONValue, _ right: JSONValue, depth: Int) -> Double {
    switch (left, right) {
    case (.object(let left), .object(let right)) where depth > 0:
      let keys = Set(left.keys).union(right.keys)
      guard !keys.isEmpty else { return 1 }
      let shares = keys.reduce(0.0) { sum, key in
        guard let left = left[key], let right = right[key] else { return sum }
        return sum + of(left, right, depth: depth - 1)
      }
      return shares / Double(keys.count)
    case (.array(let left), .array(let right)) where depth > 0:
      let count = max(left.count, right.count)
      guard count > 0 else { return 1 }
      guard count <= width else { return left == right ? 1 : 0 }
      let shares = zip(left, right).reduce(0.0) { $0 + of($1.0, $1.1, depth: depth - 1) }
      return shares / Double(count)
    default:
      return left == right ? 1 : 0
    }
  }
}

/// Removes equal parts from versions of a stub, because handling a large body costs more than all else.
///
/// What is the same in all versions is left out, and restored afterwards.
struct CommonParts {
  private var request: RequestPattern?
  private var body: ResponseBody?

  /// Takes the common parts out of all versions.
  init(takenFrom stubs: inout [Stub]) {
    guard let first = stubs.first else { return }
    let rest = stubs.dropFirst()
    if rest.allSatisfy({ $0.request == first.request }) {
      request = first.request
      for index in stubs.indices { stubs[index].request = RequestPattern() }
    }
    // If each version has one response, they correspond; an error restricts which content is allowed.
    guard let content = first.responses.first?.body,
      stubs.allSatisfy({
        $0.responses.count == 1 && $0.responses[0].body == content && $0.responses[0].error == nil
      })
    else { return }
    body = content
    for index in stubs.indices { stubs[index].responses[0].body = nil }
  }

  /// The stub with the common parts restored.
  func putBack(into stub: Stub) -> Stub {
    var stub = stub
    if let request { stub.request = request }
    if let body, stub.responses.count == 1 { stub.responses[0].body = body }
    return stub
  }
}
