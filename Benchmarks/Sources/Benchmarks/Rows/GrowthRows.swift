import Foundation

/// By how much a git repository grows with 500 edits of a catalog, against the same as JSON files: what
/// `scripts/bench-git-growth` measures.
enum GrowthRows {
  private struct Figures: Decodable {
    struct Growth: Decodable {
      var catalog: Double
      var files: Double
    }

    var size: Double
    var growth: [String: Growth]
  }

  static func measure(stubdb: String) throws -> [Row] {
    try [("1,000", "1000"), ("10,000", "10000")].map { name, count in
      // Beside `Benchmarks`, where the program runs.
      let text = try Command.output(
        "../scripts/bench-git-growth", [stubdb, "--stubs", count, "--json"])
      let figures = try JSONDecoder().decode(Figures.self, from: Data(text.utf8))
      guard let growth = figures.growth["normal"] else { throw UnexpectedMiss("growth") }
      return .atMost(
        2, growth.catalog / growth.files,
        name: "growth of a git repository, 500 edits of \(name) stubs",
        detail: """
          \(format(growth.catalog / 1_000)) kB against \(format(growth.files / 1_000)) kB of JSON \
          files; the catalog has \(format(figures.size / 1e6)) MB
          """)
    }
  }
}
