import ArgumentParser
import Foundation

/// What `stubdb demo` tells, step by step.
struct DemoStory {
  private static let scenario = "checkout/card-declined"
  static let charges = "https://api.shop.test/v1/charges?expand=customer"

  private static let orders = "https://api.shop.test/v1/orders"

  let folder: URL

  func tell() throws {
    try fillCatalog()
    try look()
    try ask()
    try play()
    try showTest()
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
      "match", Self.scenario, "POST", Self.charges, "--header", "Authorization: Bearer demo",
      "--data", #"{"amount": 1200, "currency": "EUR"}"#,
    ])
    try title("5. And when none does, what was nearest?")
    try type(
      ["match", "orders/sold-out", "POST", Self.orders, "--data", #"{"item": "b_2"}"#],
      expecting: 2)
  }

  private func play() throws {
    try title("6. Four customers at once, each with a URLSession and a run of its own")
    let catalog = folder.appendingPathComponent("shop.stubdb")
    for line in try DemoCustomers(catalog: catalog, scenario: Self.scenario).pay() {
      try Console.line("  \(line)")
    }
    try Console.line("  The bank refused every customer once, and accepted every second try.")
  }

  private func showTest() throws {
    try title("7. The same in a test; the code under test needs no change")
    try Console.write(
      """
        import StubDBTesting
        import Testing

        @Suite(.catalog("Fixtures/shop.stubdb"))
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

  private func title(_ text: String) throws {
    try Console.line("\n\(Style.output.bold(text))")
  }

  /// Shows a command as a person would type it, and runs it.
  private func type(
    _ words: [String], expecting expected: Int32 = 0
  ) throws {
    let line = (["stubdb"] + words).map(ShellQuoting.quote).joined(separator: " ")
    try Console.line(Style.output.dim("$ ") + line)
    var code: Int32 = 0
    do {
      var command = try RootCommand.parseAsRoot(words)
      try command.run()
    } catch let error as ExitCode {
      code = error.rawValue
    }
    guard code == expected else {
      throw CommandFailure("'\(line)' ended with \(code), not with \(expected)")
    }
  }
}
