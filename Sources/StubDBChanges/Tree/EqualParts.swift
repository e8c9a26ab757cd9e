internal import StubDBModel

/// Parts of stubs that need no look inside: taking a large body apart costs more than all else.
///
/// Leaves out of every version what is the same in all, to be put back afterwards.
struct EqualParts {
  private var request: RequestPattern?
  private var body: ResponseBody?

  /// Takes the equal parts out of all versions.
  init(takenFrom stubs: inout [Stub]) {
    guard let first = stubs.first else { return }
    let rest = stubs.dropFirst()
    if rest.allSatisfy({ $0.request == first.request }) {
      request = first.request
      for index in stubs.indices { stubs[index].request = RequestPattern() }
    }
    // Of one response each it is certain which is which; an error says what content may stand there.
    guard let content = first.responses.first?.body,
      stubs.allSatisfy({
        $0.responses.count == 1 && $0.responses[0].body == content && $0.responses[0].error == nil
      })
    else { return }
    body = content
    for index in stubs.indices { stubs[index].responses[0].body = nil }
  }

  /// The stub with the parts in their places again.
  func putBack(into stub: Stub) -> Stub {
    var stub = stub
    if let request { stub.request = request }
    if let body, stub.responses.count == 1 { stub.responses[0].body = body }
    return stub
  }
}
