import Foundation
import StubDBModel
import Testing

@testable import StubDBCommand

/// Runs the commands of the README, the pages in `docs` and the help, and compares their output.
///
/// Sessions are blocks of ```` ```console ````: `$ ` begins a command, and `…` in its output stands for anything. The
/// blocks of a page run one after another in one folder. What prepares them is there for readers too: `<details>` above a
/// block of ```` ```sh ```` folds it and runs it, `<!-- file: NAME -->` writes the block below it to a file. Only what
/// a reader does not type, such as the wait for a port of this run, is in comments: `<!-- sh` runs the lines up to `-->`.
struct DocumentationTests {
  /// A block of a page.
  private struct Block {
    var language: String
    /// The comment on the line before it.
    var note: String
    var line: Int
    var lines: [String]
  }

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The README and every page in `docs`, so that none escapes these tests.
  private static let pages =
    ["README.md"]
    + ((try? FileManager.default.contentsOfDirectory(
      atPath: root.appendingPathComponent("docs").path)) ?? [])
    .filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }

  @Test func theReadmeIsShortAndThePagesAreFound() throws {
    #expect(Self.pages.count > 10)
    let readme = try String(
      contentsOf: Self.root.appendingPathComponent("README.md"), encoding: .utf8)
    #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count - 1 <= 200)
  }

  /// What folds the preparation of the blocks below it.
  private static let setUp = "<details><summary>"

  private static func blocks(of page: String) throws -> [Block] {
    let text = try String(contentsOf: root.appendingPathComponent(page), encoding: .utf8)
    var blocks: [Block] = []
    var open: Block?
    var note = ""
    for (index, line) in text.components(separatedBy: "\n").enumerated() {
      if let block = open {
        if line == (block.language == "hidden" ? "-->" : "```") {
          blocks.append(block)
          open = nil
          note = ""
        } else {
          open?.lines.append(line)
        }
      } else if line == "<!-- sh" {
        open = Block(language: "hidden", note: "", line: index + 1, lines: [])
      } else if line.hasPrefix("```") {
        open = Block(language: String(line.dropFirst(3)), note: note, line: index + 1, lines: [])
      } else if line.hasPrefix("<!-- ") || line.hasPrefix(setUp) {
        note = line
      } else if !line.isEmpty {
        note = ""
      }
    }
    #expect(open == nil, "\(page): a block is not closed")
    return blocks
  }

  // MARK: Sessions

  /// Their commands need a build with the server, and with TLS.
  private static let (serving, secure) = (["docs/serving.md", "docs/ui-tests.md"], "docs/https.md")

  #if Server
    @Test(arguments: serving) func thePagesOnServingComeToWhatTheySay(page: String) throws {
      try runSessions(of: page)
    }
  #endif

  #if TLS
    @Test func thePageOnTLSComesToWhatItSays() throws {
      try runSessions(of: Self.secure)
    }
  #endif

  @Test(arguments: pages.filter { !serving.contains($0) && $0 != secure })
  func whatAPageTypesComesToWhatItSays(page: String) throws {
    try runSessions(of: page)
  }

  private func runSessions(of page: String) throws {
    let box = try Sandbox()
    #if Server
      var servers: [PageServer] = []
    #endif
    for block in try Self.blocks(of: page) {
      #if Server
        if block.language == "sh", block.lines[0].hasPrefix("stubdb serve ") {
          servers.append(try PageServer(block.lines[0], in: box))
        }
      #endif
      switch block.language {
      case "hidden",
        "sh" where block.note.hasPrefix(Self.setUp):
        let result = try run(block.lines.joined(separator: "\n"), in: box)
        #expect(result.code == 0, "\(page):\(block.line): \(result)")
      case "json" where block.note.hasPrefix("<!-- file: "):
        let name = block.note.dropFirst(11).replacing(" -->", with: "")
        try box.write(String(name), block.lines.joined(separator: "\n") + "\n")
      case "console": try expect(block, of: page, in: box)
      default: break
      }
    }
  }

  private func expect(_ block: Block, of page: String, in box: Sandbox) throws {
    var rest = block.lines[...]
    while let first = rest.popFirst() {
      guard first.hasPrefix("$ ") else { continue }
      var command = [String(first.dropFirst(2))]
      while command.last?.hasSuffix("\\") == true, let next = rest.popFirst() {
        command.append(next)
      }
      let output = rest.prefix { !$0.hasPrefix("$ ") }
      rest = rest.dropFirst(output.count)
      let line = command.joined(separator: "\n")
      let result = try run("{ \(line)\n} 2>&1", in: box)
      let place = "\(page):\(block.line): \(line)"
      let isAnswer =
        result.code == 2
        && [
          "check", "diff", "export", "match", "mirror", "names", "pull", "push", "resolve",
          "review",
          "scan", "verify",
        ].contains {
          line.hasPrefix("stubdb \($0)")
        }
      let isFailure = output.contains { $0.hasPrefix("Error: ") || $0.contains("CONFLICT") }
      #expect(result.code == 0 || isAnswer || isFailure, "\(place): \(result)")
      let wanted = output.joined(separator: "\n").trimmingCharacters(in: .newlines)
      // The page does not show the output.
      guard !wanted.isEmpty else { continue }
      let got = result.out.trimmingCharacters(in: .newlines)
      #expect(Self.fits(got, wanted), "\(place)\nis to print\n\(wanted)\nand prints\n\(got)")
    }
  }

  private func run(_ line: String, in box: Sandbox) throws -> CommandResult {
    try box.shell(
      line,
      environment: [
        "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@shop.test", "GIT_COMMITTER_NAME": "Ada",
        "GIT_COMMITTER_EMAIL": "ada@shop.test", "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_NOSYSTEM": "1", "EDITOR": "true",
      ])
  }

  /// Whether a text matches the expected one, in which `…` stands for anything.
  static func fits(_ text: String, _ wanted: String) -> Bool {
    let parts = wanted.components(separatedBy: "…")
    guard parts.count > 1 else { return text == wanted }
    guard text.hasPrefix(parts[0]) else { return false }
    var rest = text.dropFirst(parts[0].count)
    for part in parts.dropFirst().dropLast() {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.hasSuffix(parts[parts.count - 1])
  }

  @Test func theComparisonCanFail() {
    #expect(Self.fits("a b c", "a … c"))
    #expect(!Self.fits("a b c", "a … d"))
    #expect(!Self.fits("a b c", "a b"))
  }

  // MARK: Documents

  @Test(arguments: pages)
  func theDocumentsOfAPageCanBePlayed(page: String) throws {
    for block in try Self.blocks(of: page) where block.language == "json" {
      // A block that is not a document says so in a comment before it.
      guard !block.note.hasPrefix("<!-- not a document") else { continue }
      let box = try Sandbox()
      let text = block.lines.joined(separator: "\n")
      let isWhole = text.contains("\"scenario\"")
      try box.write("page.json", text)
      _ = try box.run("init", "page.stubdb")
      for name in ["session/signed-in", "checkout/paid", "checkout/card-declined"]
      where !text.contains("\"scenario\": \"\(name)\"") {
        _ = try box.run("add", name, "--url", "https://included.test/", "--key", "included")
      }
      let into = isWhole ? [] : ["page/block"]
      let added = try box.run(
        executable: Sandbox.binary, arguments: ["add"] + into + ["--file", "page.json"])
      #expect(added.code == 0, "\(page):\(block.line): \(added)")
      let checked = try box.run("check")
      #expect(checked.code == 0, "\(page):\(block.line): \(checked)")
    }
  }

  /// Every fence names its language, so that no block escapes these tests.
  @Test(arguments: pages)
  func everyBlockSaysWhatItIs(page: String) throws {
    let known = ["hidden", "console", "json", "http", "sh", "swift", "text"]
    for block in try Self.blocks(of: page) {
      #expect(known.contains(block.language), "\(page):\(block.line): \(block.language)")
    }
  }

  /// Blocks of ```` ```sh ```` that no test runs, and the reasons.
  private static let notRun = [
    "scripts/demo": "builds stubdb; DemoTests run the demo",
    "scripts/install": "builds stubdb",
    "git clone URL": "needs the address of a repository; InstallTests install a binary",
    "stubdb git uninstall": "removes the program that the tests run",
    "stubdb serve checkout/": "runs beside the blocks that follow it",
    "stubdb serve --catalog shop.stubdb": "the same",
    "stubdb record": "calls servers of the reader's",
    "stubdb git install": "the merge of a clone without the set-up; GitMergeTests do the same",
    "git show :1:shop.stubdb": "the same",
    "mkdir -p out && swift test --attachments-path": "runs the tests of the reader's package",
  ]

  @Test(arguments: pages)
  func whatIsNotRunSaysWhy(page: String) throws {
    for block in try Self.blocks(of: page)
    where block.language == "sh" && !block.note.hasPrefix(Self.setUp) {
      let first = try #require(block.lines.first)
      #expect(
        Self.notRun.keys.contains { first.hasPrefix($0) },
        "\(page):\(block.line): make it a session, or say why it is not run")
    }
  }

  // MARK: Help

  /// Examples in help texts that no test runs, and the reasons.
  private static let notRunInHelp = [
    "generate-stubs |": "stands for a program of the reader's",
    "pbpaste |": "reads the user's clipboard",
    "EDITOR='code --wait'": "an editor with windows",
    "stubdb serve": "serves until it is interrupted",
    "stubdb affected": "needs the ledger of a test run; AffectedCommandTests has one",
    "stubdb sweep": "needs the files of a sweep; SweepReportTests has some",
    "swift test": "builds the reader's tests",
    "stubdb play --journal": "needs a journal; docs/testing.md has one",
    "stubdb verify --live": "asks a server; docs/staying-true.md has one",
    "stubdb record": "the same, and calls servers of the reader's",
    "stubdb key create --passphrase": "asks on a terminal",
    "stubdb push --sign": "signs with a key of the reader's; docs/signing.md has one",
    "stubdb pull s3://stubs/team/payments --trust": "the same",
  ]

  /// A ledger of one test.
  private static let ledger = """
    mkdir -p .stubdb/ledger && cat > .stubdb/ledger/1.jsonl <<'END'
    {"ledger":1,"process":"1","catalog":"shop.stubdb","scenario":"checkout/paid","test":"Shop/pays()","used":{"checkout/paid":["charge"]}}
    {"ledger":1,"process":"1","ended":true}
    END
    """

  /// A draft of two scenarios.
  private static let draft = """
    mkdir -p shop.stubdb.draft
    for name in paid declined; do cat > shop.stubdb.draft/$name.jsonl <<END
    {"draft":1,"mode":"all","order":1,"process":"$name","run":1,"scenario":"checkout/$name","stub":{"key":"recorded",\
    "request":{"method":"GET","url":"https://api.shop.test/v1/me"},"responses":[{"text":"Ada"}]}}
    END
    done
    """

  /// Two catalogs in a store.
  private static let published = """
    stubdb push s3://stubs/team/payments --catalog Tests/Fixtures/shop.stubdb
    stubdb push s3://stubs/team/shop
    """

  /// A published catalog that two keys are trusted to sign.
  private static let trusted = """
    \(published)
    for name in ada bea; do
      XDG_CONFIG_HOME=$PWD/$name stubdb key create --name $name@example.test > $name.pub
    done
    stubdb key trust shop ada.pub bea.pub
    """

  /// A draft of a request with a time.
  private static let timedDraft = """
    mkdir -p shop.stubdb.draft && cat > shop.stubdb.draft/1.jsonl <<'END'
    {"draft":1,"mode":"once","order":1,"process":"1","run":1,"scenario":"checkout/paid","stub":{"key":"recorded",\
    "request":{"method":"POST","url":"https://api.shop.test/v1/events","body":{"equalToJson":{"timestamp":1}}}}}
    END
    """

  /// What examples need besides the usual folder.
  private static let needs = [
    "stubdb init": "rm shop.stubdb",
    "rename checkout/accepted":
      "stubdb remove checkout/paid charge && stubdb rename checkout/paid checkout/accepted",
    "set checkout/paid-slowly": "stubdb copy checkout/paid checkout/paid-slowly",
    "add checkout/paid --method POST": "stubdb remove checkout/paid post-v1-charges",
    "--key vip --then-response": "stubdb add checkout/paid --key vip --url /vip",
    "--response 2": "stubdb add checkout/paid --key charge --then-response --status 401",
    "list --tag errors --tag slow": "stubdb tag checkout/paid --add errors --add slow",
    "list --tag smoke": "stubdb tag checkout/paid --add smoke",
    "@paid.json": "echo '{}' > paid.json",
    "mirror shop-stubs --": "stubdb mirror shop-stubs",
    "Names.swift --check": "stubdb names --swift --output Names.swift",
    "--openapi shop.yaml": """
    cat > shop.yaml <<'END'
    {"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}, "paths": {
      "/v1/session": {"get": {"responses": {"200": {}}}},
      "/v1/orders": {"get": {"responses": {"200": {}}}},
      "/v1/charge": {"post": {"responses": {"200": {"content": {"application/json": {}}}}}},
      "/v1/charges": {"post": {"responses": {"200": {}}}},
      "/v1/me": {"get": {"responses": {"default": {}}}, "put": {"responses": {"2XX": {}}}}}}
    END
    """,
    "old.stubdb": "cp shop.stubdb old.stubdb && cp shop.stubdb new.stubdb",
    "base.stubdb":
      "cp shop.stubdb base.stubdb && cp shop.stubdb ours.stubdb && cp shop.stubdb theirs.stubdb",
    "stubdb coverage": ledger,
    "stubdb review --accept checkout/paid": draft,
    "stubdb review --reject checkout/paid": draft,
    "stubdb review checkout/paid": draft,
    "stubdb review --edit": draft,
    "stubdb review --free": timedDraft,
    "stubdb prune": ledger,
    "stubdb rewrite":
      #"stubdb add checkout/paid --key user --method POST --url https://api.shop.test/v1/user --when-body-json '{"currency": "USD"}' --json '{"user": {"email": "a"}, "items": [{"price": 1}]}'"#,
    "stubdb push --message": published, "stubdb pull": published, "stubdb sync": published,
    "stubdb remote": published,
    "stubdb key trust": trusted, "stubdb key distrust": trusted, "stubdb key list": trusted,
    "stubdb resolve": """
    stubdb git install
    git checkout -qb a && stubdb set checkout/paid charge --status 409 && git commit -qam a
    git checkout -q main && stubdb set checkout/paid charge --status 410 && git commit -qam b
    git merge a || :
    """,
  ]

  /// Examples whose correct exit code is 2, and the reasons.
  private static let answersTwo = [
    "stubdb resolve": "a conflict is left to be settled",
    "stubdb git status": "the clone is not set up",
    "stubdb review --reject checkout/paid": "another scenario waits",
    "stubdb key show": "there is none",
    "stubdb review checkout/paid --json": "it waits",
    "stubdb review --edit checkout/paid/get-v1-me": "another scenario waits",
  ]

  private static let helpFolder = """
    set -e
    git init -q -b main . && mkdir -p Tests/Fixtures Tests/ShopTests/Fixtures
    stubdb init shop.stubdb && cp shop.stubdb Tests/Fixtures/shop.stubdb
    stubdb add session/signed-in --url /v1/session
    for name in orders/open imported/users; do stubdb add $name --url /v1/orders; done
    stubdb add checkout/paid --key charge --method POST --url /v1/charge --json '{"card":"card_declined"}'
    stubdb add checkout/paid --method POST --url https://api.shop.test/v1/charges --header 'Retry-After: 1'
    for method in GET PUT; do stubdb add checkout/paid --method $method --url https://api.shop.test/v1/me; done
    stubdb tag checkout/paid --add wip
    stubdb copy checkout/paid checkout/declined && stubdb copy checkout/paid checkout/card-declined
    echo '{"scenario": "a/b", "stubs": []}' > offline.json
    echo '{"scenario": "a/c", "stubs": []}' > card-declined.json
    echo '{"key": "charge", "request": {"path": "/c"}}' > stub.json
    echo '{}' > me.json && echo '{}' > vip.json && echo '{"headers": ["Authorization"]}' > redact.json
    echo 'POST https://api.shop.test/v1/charges' > checkout.http
    echo '{"log": {"entries": [{"request": {"method": "POST", "url": "https://api.shop.test/v1/orders"}, "response": {"status": 201}}]}}' > shop.har
    mkdir recordings && cp shop.har recordings/orders.har
    git add . && git commit -qm one && git tag v1.2
    for number in 2 3 4; do git commit -q --allow-empty -m $number; done
    """

  private static func examples(in help: String) -> [String] {
    let lines = help.components(separatedBy: "\n")
    guard
      let start = lines.firstIndex(where: { $0.hasPrefix("  Example") || $0.hasPrefix("Example") })
    else { return [] }
    var examples: [String] = []
    for line in lines[(start + 1)...].prefix(while: { !$0.hasPrefix("USAGE") }) where !line.isEmpty
    {
      if let last = examples.last, last.hasSuffix("\\") {
        examples[examples.count - 1] = last + "\n" + line
      } else {
        // Text after a wide gap is an explanation.
        let text = line.drop { $0 == " " }
        examples.append(String(text.firstRange(of: "   ").map { text[..<$0.lowerBound] } ?? text))
      }
    }
    return examples
  }

  /// A command with a folder in place of a bucket, and with a commit that is there.
  private static func stored(_ line: String, in store: URL) -> String {
    line.replacing("s3://stubs/", with: "file://\(store.path)/")
      .replacing("file:///srv/stubs/", with: "file://\(store.path)/")
      .replacing("3f2a9c1b04", with: "$(stubdb remote log shop | cut -c3-12)")
  }

  private func copy(of box: Sandbox) throws -> Sandbox {
    let copy = try Sandbox()
    try FileManager.default.removeItem(at: copy.folder)
    try FileManager.default.copyItem(at: box.folder, to: copy.folder)
    return copy
  }

  @Test func theExamplesOfTheHelpWork() throws {
    let prepared = try Sandbox()
    let result = try run(Self.helpFolder, in: prepared)
    #expect(result.code == 0, "\(result)")
    var count = 0
    var folders: [[String]: Sandbox] = [[]: prepared]
    for command in HelpTests.all where command != "demo" {
      let help = HelpTests.help(
        command.split(separator: " ").map(String.init), width: 200)
      for example in Self.examples(in: help) {
        guard !Self.notRunInHelp.keys.contains(where: example.hasPrefix) else { continue }
        #if !TLS
          guard !example.hasPrefix("stubdb ca ") else { continue }
        #endif
        let needs = Set(Self.needs.filter { example.contains($0.key) }.values).sorted()
        let store = prepared.folder.deletingLastPathComponent()
          .appendingPathComponent("stores/\(needs.hashValue)")
        let box = try copy(of: folders[needs] ?? prepared)
        if folders[needs] == nil {
          for need in needs {
            let result = try run(Self.stored(need, in: store), in: box)
            #expect(result.code == 0, "\(need): \(result)")
          }
          // Several examples need the same.
          folders[needs] = try copy(of: box)
        }
        // jq may not be installed.
        let line = example.components(separatedBy: " | ")[0]
        let result = try run(Self.stored(line, in: store), in: box)
        let code = Self.answersTwo[example] == nil ? 0 : 2
        #expect(Int(result.code) == code, "\(example): \(result)")
        count += 1
      }
    }
    #expect(count > 50)
  }
}
