import StubDBContainment
import StubDBModel
import Testing

@testable import StubDBEditing

/// Finding the stubs that may take requests of another one.
struct OverlapIndexTests {
  private static let paths = [
    "/", "/a", "/a/", "/a/b", "/a/{id}", "/{any}", "/{any}/b", "/**", "/a/**", "/{any}/**",
    "/a/**/b", "/b/**", "/a/b/c/**",
  ]

  private static func stub(_ path: String?, _ number: Int = 0) -> Stub {
    var stub = Stub(key: Stub.Key(unchecked: "k\(number)"))
    stub.request.path = path.map(PathPattern.template)
    return stub
  }

  /// It finds what comparing with all finds, unless the lengths of the paths differ.
  @Test(arguments: paths)
  func whatMayMeetIsFoundByItsPath(path: String) {
    let stubs = Self.paths.enumerated().map { Self.stub($1, $0) }
    let index = OverlapIndex(stubs)
    let pattern = Self.stub(path).request
    let found = index.stubs(meeting: pattern)
    #expect(found.contains { $0.request.path == pattern.path })
    let all = stubs.filter { $0.request.mayMeet(pattern) }
    for stub in all where !found.contains(where: { $0.key == stub.key }) {
      let counts = [stub.request, pattern].map { request -> (count: Int, isOpen: Bool) in
        guard case .template(let text)? = request.path else { return (0, true) }
        let (fixed, isOpen) = RequestPattern.segments(of: text)
        return (fixed.count, isOpen)
      }.sorted { $0.count < $1.count }
      #expect(!counts[0].isOpen && counts[0].count < counts[1].count, "\(path) \(stub)")
    }
    #expect(found.map(\.key) == all.map(\.key).filter { key in found.contains { $0.key == key } })
  }

  @Test func anOperatorMayMeetAnyPath() {
    var operated = Self.stub(nil, 1)
    operated.request.path = .value(.matches("/a.*"))
    let stubs = [Self.stub("/b/c"), operated, Self.stub(nil, 2)]
    let index = OverlapIndex(stubs)
    #expect(index.stubs(meeting: Self.stub("/a/b").request).map(\.key) == ["k1", "k2"])
    #expect(index.stubs(meeting: operated.request).count == 3)
    #expect(index.stubs(meeting: Self.stub(nil).request).count == 3)
  }
}
