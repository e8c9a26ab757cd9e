import StubDBTestSupport
import Testing

@testable import StubDBFormats

/// The search for the operation that a stub answers.
struct OpenAPIPathTreeTests {
  private static func segments(_ path: String) -> [OpenAPIOperation.Segment] {
    OpenAPIOperations.segments(path).map(OpenAPIOperation.Segment.init)
  }

  private static func tree(_ paths: [String]) -> OpenAPIPathTree {
    var tree = OpenAPIPathTree()
    for (place, path) in paths.enumerated() { tree.insert(segments(path), place) }
    return tree
  }

  @Test(arguments: [
    ("/orders", [0]), ("/orders/7", [2]), ("/orders/new", [1]), ("/orders/{any}", [2, 3]),
    ("/{any}", [0]), ("/v2/orders", [4]), ("/orders/7:copy", [2, 3]), ("/orders/7/lines", []),
    ("/other", []), ("/orders/", []),
  ])
  func theBestPathIsFound(path: String, places: [Int]) {
    let tree = Self.tree([
      "/orders", "/orders/new", "/orders/{id}", "/orders/{id}:copy", "/v{version}/orders",
    ])
    #expect(tree.nearest(to: OpenAPIOperations.segments(path)).places == places)
  }

  @Test func itFindsWhatLookingAtAllPathsFinds() {
    var random = SeededRandom(seed: 14)
    let words = ["a", "b", "c", "{x}", "{y}", "v{z}"]
    func path(_ words: [String]) -> String {
      (0..<Int.random(in: 1...4, using: &random)).map { _ in
        "/" + (words.randomElement(using: &random) ?? "")
      }.joined()
    }
    let paths = (0..<200).map { _ in path(words) }
    let tree = Self.tree(paths)
    for _ in 0..<500 {
      let stub = OpenAPIOperations.segments(path(["a", "b", "c", "v1", "w", "{q}"]))
      let distances = paths.map { path -> Int? in
        let own = Self.segments(path)
        guard own.count == stub.count else { return nil }
        var sum = 0
        for (segment, text) in zip(own, stub) {
          guard let distance = segment.distance(to: text) else { return nil }
          sum += distance
        }
        return sum
      }
      let best = distances.compactMap(\.self).min()
      let wanted = best == nil ? [] : distances.indices.filter { distances[$0] == best }
      #expect(tree.nearest(to: stub).places == wanted, "\(stub)")
    }
  }

  @Test func theStepsDoNotGrowWithTheDescription() {
    func steps(_ count: Int) -> Int {
      let paths = (0..<count).flatMap { ["/api/r\($0)", "/api/r\($0)/{id}", "/api/r\($0)/{id}/x"] }
      let tree = Self.tree(paths)
      return (0..<count).reduce(0) { sum, number in
        sum + tree.nearest(to: ["api", "r\(number)", "7", "x"]).stepCount
      }
    }
    #expect(steps(2_000) == 100 * steps(20))
  }
}
