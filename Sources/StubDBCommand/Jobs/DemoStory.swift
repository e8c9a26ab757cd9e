import ArgumentParser
import Foundation
import StubDBJobs
import StubDBSupport
import StubDBTransfer

/// The story of `stubdb demo`, step by step.
struct DemoStory {
  private static let scenario = "checkout/card-declined"
  private static let orders = "https://api.shop.test/v1/orders"

  let folder: URL

  func tell() throws {
    try fillCatalog()
    try look()
    try ask()
    try play()
    try showTest()
    try showProgram()
  }

  private func fillCatalog() throws {
    try title("1. A catalog is one file; scenarios go in from JSON documents")
    for document in DemoDocuments.all {
      let url = folder.appendingPathComponent(document.path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(document.text.utf8).write(to: url)
    }
    try type(["init", "shop.stubdb"])
    let files = DemoDocuments.all.flatMap { ["--file", $0.path] }
    try type(["add"] + files)
    try title("2. ... or from options")
    try type([
      "add", "orders/sold-out", "--method", "POST", "--url", Self.orders, "--when-body-json",
      #"{"item": "b_1"}"#, "--status", "409", "--json", #"{"error": "sold_out"}"#,
    ])
  }

  private func look() throws {
    try title("3. What is in it")
    try type(["list"])
    try Console.line("")
    try type(["show", Self.scenario])
  }

  private func ask() throws {
    try title("4. Which stub answers a request?")
    try type([
      "match", Self.scenario, "POST", DemoCustomers.charges,
      "--header", "Authorization: Bearer demo",
      "--data", #"{"amount": 1200, "currency": "EUR"}"#,
    ])
    try title("5. And when none does, what was nearest?")
    try type(
      ["match", "orders/sold-out", "POST", Self.orders, "--data", #"{"item": "b_2"}"#],
      expecting: 2)
  }

  private func play() throws {
    let catalog = folder.appendingPathComponent("shop.stubdb")
    let (lines, isThroughURLSession) = try DemoCustomers(
      catalog: catalog, scenario: Self.scenario
    ).pay()
    try title(
      isThroughURLSession
        ? "6. Four customers at once, each with a URLSession and a run of its own"
        : "6. Four customers at once, each with a run of its own")
    for line in lines { try Console.line("  \(line)") }
    if !isThroughURLSession {
      try Console.line(
        "  (Played by the engine in this program; a test gets the same through URLSession.)")
    }
    try Console.line("  The bank refused every customer once, and accepted every second try.")
  }

  private func showTest() throws {
    try title("7. The same in a test; the code under test needs no change")
    try Console.write(
      """
        import Testing

        @Suite(.catalog("shop.stubdb"))
        struct CheckoutTests {
          @Test(.scenario("\(Self.scenario)"))
          func aDeclinedCardCanBeReplaced() async throws {
            let shop = ShopClient(session: .stubbed)
            await #expect(throws: ShopError.cardDeclined) { try await shop.charge(1200) }
            #expect(try await shop.charge(1200).id == "ch_1")
          }
        }

      """)
  }

  /// The path of this program, for users who have just built it.
  private func showProgram() throws {
    try title("8. On your own")
    guard let program = Bundle.main.executableURL?.resolvingSymlinksInPath() else { return }
    let folder = ShellWord.quoted(program.deletingLastPathComponent().path)
    try Console.write(
      """
        This program is \(TerminalText.line(program.path))
        To have it as stubdb in this terminal:
          export PATH=\(folder):"$PATH"
        Then, beside your Package.swift:
          stubdb init shop.stubdb

      """)
  }

  private func title(_ text: String) throws {
    try Console.line("\n\(Style.output.bold(text))")
  }

  /// Prints a command as a user would type it, and runs it.
  private func type(
    _ words: [String], expecting expected: Int32 = 0
  ) throws {
    let quoted = (["stubdb"] + words).map(ShellWord.quoted)
    let line = quoted.joined(separator: " ")
    try Console.line(Style.output.dim("$ ") + CommandWords.broken(quoted))
    var code: Int32 = 0
    do {
      var command = try RootCommand.parseAsRoot(words)
      try command.run()
    } catch let error as ExitCode {
      code = error.rawValue
    }
    guard code == expected else {
      throw CommandError("'\(line)' ended with \(code), not with \(expected)")
    }
  }
}
