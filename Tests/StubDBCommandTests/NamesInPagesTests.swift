import Foundation
import Testing

/// The paths and types that pages for contributors name exist, and so do the symbols that the DocC articles link to.
struct NamesInPagesTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static let pages = ["ARCHITECTURE.md", "CONTRIBUTING.md"]

  private static func text(of path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The relative paths of the files below a folder.
  private static func files(below folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path)
      .map { "\(folder)/\($0)" }
  }

  /// The texts between pairs of the mark, outside blocks of code.
  private static func spans(_ text: String, mark: String) -> [String] {
    var isCode = false
    let lines = text.components(separatedBy: "\n").filter { line in
      if line.hasPrefix("```") { isCode.toggle() }
      return !isCode && !line.hasPrefix("```")
    }
    let parts = lines.joined(separator: "\n").components(separatedBy: mark)
    return parts.indices.filter { $0 % 2 == 1 }.map { parts[$0] }
  }

  /// The names that the sources declare, including those of modules.
  private static func declaredNames(below folder: String) throws -> Set<String> {
    let declaration = /\b(?:struct|class|enum|protocol|actor|typealias|func|var|let|case)\s+`?(\w+)/
    var names: Set<String> = []
    for path in try files(below: folder) where path.hasSuffix(".swift") {
      for match in try text(of: path).matches(of: declaration) { names.insert(String(match.1)) }
    }
    return names
  }

  // MARK: Pages for contributors

  @Test(arguments: pages)
  func thePathsOfAPageExist(page: String) throws {
    let text = try Self.text(of: page)
    let top = try FileManager.default.contentsOfDirectory(atPath: Self.root.path)
    let links = text.matches(of: /\]\((?!https?:)([^)#]+)/).map { String($0.1) }
    // A file with a number in place of `NNN` stands for many.
    let paths = Self.spans(text, mark: "`").filter { span in
      top.contains { span == $0 || span.hasPrefix("\($0)/") } && !span.contains("NNN")
    }
    #expect(links.count + paths.count > 3)
    for path in paths + links {
      let url = Self.root.appendingPathComponent(String(path.prefix { $0 != " " }))
      #expect(FileManager.default.fileExists(atPath: url.path), "\(page): \(path)")
    }
  }

  @Test func theTypesOfTheArchitectureExist() throws {
    let names = try Self.declaredNames(below: "Sources")
    let types = Self.spans(try Self.text(of: "ARCHITECTURE.md"), mark: "`")
      .filter { $0.wholeMatch(of: /[A-Z]+[a-z]\w+/) != nil && !$0.hasPrefix("StubDB") }
    #expect(types.count > 30)
    let foreign: Set = ["CSQLite", "URLProtocol", "URLRequest", "URLSession"]
    for type in types where !foreign.contains(type) {
      #expect(names.contains(type), "ARCHITECTURE.md names \(type), which nothing declares")
    }
  }

  @Test func theArchitectureIsShortAndItsFilesExist() throws {
    let text = try Self.text(of: "ARCHITECTURE.md")
    #expect(text.split(whereSeparator: \.isWhitespace).count <= 1_300)
    let files = Set(
      try Self.files(below: "Sources").map { URL(fileURLWithPath: $0).lastPathComponent })
    let named = Self.spans(text, mark: "`").filter { $0.hasSuffix(".swift") && !$0.contains("/") }
    #expect(named.count > 10)
    for file in named where file != "Package.swift" {
      #expect(files.contains(file), "ARCHITECTURE.md names \(file), which is not below Sources")
    }
  }

  /// Each row of the table names the files that switch over the cases of an enum that the row has one grow.
  @Test(arguments: [
    ("ValueOperator", "an operator of a value"), ("RequestPart", "a part of requests"),
    ("ResponsePart", "a member of responses"), ("StubColumn", "a column"),
  ])
  func aRowNamesEveryFileThatAnEnumNeeds(name: String, row: String) throws {
    let text = try Self.text(of: "ARCHITECTURE.md")
    let cells = try #require(text.components(separatedBy: "\n").first { $0.hasPrefix("| \(row)") })
    let words = Self.spans(cells, mark: "`")
    for path in try Self.files(below: "Sources") where path.hasSuffix(".swift") {
      let file = URL(fileURLWithPath: path).lastPathComponent
      let source = try Self.text(of: path)
      guard source.contains("extension \(name) ") || source.contains("enum \(name):"),
        source.contains("switch self {")
      else { continue }
      #expect(words.contains(file), "\(path) says something of every \(name), and the row lacks it")
    }
  }

  @Test func everyModuleIsInTheArchitecture() throws {
    let text = try Self.text(of: "ARCHITECTURE.md")
    let folder = Self.root.appendingPathComponent("Sources")
    let modules = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(modules.count > 10)
    for module in modules {
      #expect(text.contains("`Sources/\(module)`"), "ARCHITECTURE.md lacks \(module)")
    }
  }

  // MARK: DocC

  /// The public libraries, each with the folders whose declarations its articles may link to.
  private static let libraries = [
    "StubDB": ["Sources"], "StubDBTesting": ["Sources/StubDBTesting"],
    "StubDBHTTPTypes": ["Sources/StubDBHTTPTypes"],
  ]

  @Test(arguments: libraries.keys.sorted())
  func theSymbolLinksOfTheArticlesResolve(library: String) throws {
    let catalog = "Sources/\(library)/\(library).docc"
    var names: Set = [library]
    for folder in try #require(Self.libraries[library]) {
      names.formUnion(try Self.declaredNames(below: folder))
    }
    let articles = try Self.files(below: catalog)
      .filter { $0.hasSuffix(".md") || $0.hasSuffix(".tutorial") }
    #expect(articles.contains { $0.hasPrefix("\(catalog)/FirstTest.") })
    for article in articles {
      let text = try Self.text(of: article)
      for link in Self.spans(text, mark: "``") {
        for part in link.split(separator: "/") {
          let name = String(part.prefix { $0 != "(" })
          #expect(names.contains(name), "\(article): ``\(link)``")
        }
      }
      for match in text.matches(of: /<doc:(\w+)>/) {
        #expect(
          articles.contains { $0.hasPrefix("\(catalog)/\(match.1).") }, "\(article): \(match.1)")
      }
    }
  }

  // MARK: The price of a test target

  /// The modules that a target needs without any trait, itself included.
  private static func modules(of target: String, in table: Substring) throws -> Set<String> {
    let start = try #require(table.range(of: "  \"\(target)\": ["))
    let list = table[start.upperBound...].prefix { $0 != "]" }
    return try list.matches(of: /"(StubDB\w+)"/).reduce(into: [target]) {
      $0.formUnion(try modules(of: String($1.1), in: table))
    }
  }

  /// Every line costs each user's build a millisecond: what no test reaches belongs into a module above.
  @Test func aTestTargetCompilesNoMoreThanBefore() throws {
    let manifest = try Self.text(of: "Package.swift")
    let table = try #require(manifest.range(of: "let modules: "))
    let modules = try Self.modules(of: "StubDBTesting", in: manifest[table.upperBound...])
    #expect(modules.isSuperset(of: ["StubDBTesting", "StubDBEngine", "StubDBSupport"]))
    #expect(modules.isDisjoint(with: ["StubDBServing", "StubDBDocuments", "StubDBSecrets"]))
    var count = 0
    for module in modules {
      // The steps of a tutorial are not compiled.
      for path in try Self.files(below: "Sources/\(module)")
      where path.hasSuffix(".swift") && !path.contains(".docc/") {
        count += try Self.text(of: path).utf8.count { $0 == UInt8(ascii: "\n") }
      }
    }
    #expect(count <= 39_930)
  }
}
