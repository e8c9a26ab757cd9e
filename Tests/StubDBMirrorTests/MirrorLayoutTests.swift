import StubDBMirror
import StubDBModel
import Testing

struct MirrorLayoutTests {
  private func paths(_ names: [String]) -> [String: String] {
    let names = names.compactMap { ScenarioName($0) }
    let layout = MirrorLayout(names)
    return Dictionary(
      uniqueKeysWithValues: names.map { ($0.rawValue, layout.path(of: $0)) })
  }

  @Test func plainNamesAreTheirPaths() {
    #expect(
      paths(["checkout/paid", "session", "A.b_c/cardDeclined-1"]) == [
        "checkout/paid": "checkout/paid.json", "session": "session.json",
        "A.b_c/cardDeclined-1": "A.b_c/cardDeclined-1.json",
      ])
  }

  @Test(arguments: [
    ("con", "~con.json"), ("a/NUL", "a/~NUL.json"), ("aux.txt/x", "~aux.txt/x.json"),
    ("com1.tar.gz", "~com1.tar.gz.json"), ("console", "console.json"),
    (".git/config", "~.git/config.json"), ("a./b", "a.~/b.json"), ("a.", "a..json"),
    ("a.json/b", "a.json~/b.json"), ("paid.files/x", "paid.files~/x.json"),
    (".stubdb-mirror", "~.stubdb-mirror.json"),
  ])
  func namesThatAFileSystemWouldMangleAreMarked(name: String, path: String) {
    #expect(paths([name]) == [name: path])
  }

  @Test func namesThatDifferInCaseGetPathsThatDoNot() {
    let names = ["a/b", "a/B", "A/b", "x/Y", "Q/w/e", "q/w/E"]
    let paths = paths(names)
    #expect(Set(paths.values.map { $0.lowercased() }).count == names.count)
    // Names without capitals keep their paths, and so do names that clash with none.
    #expect(paths["a/b"] == "a/b.json")
    #expect(paths["x/Y"] == "x/Y.json")
    #expect(self.paths(["a/b", "a/B"])["a/B"] == self.paths(["a/B", "a/b", "a/c"])["a/B"])
  }

  @Test func theLongestNameFits() {
    let name = String(repeating: "A", count: ScenarioName.maximumLength)
    let path = paths([name, name.lowercased()])[name] ?? ""
    #expect(path.utf8.count < 255)
  }
}
