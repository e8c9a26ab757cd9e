import StubDBModel
import StubDBSwiftNames
import Testing

struct SwiftNamesTests {
  private static func names(_ names: String..., summary: String? = nil) throws -> SwiftNames {
    SwiftNames(
      try names.map { .init(name: try #require(ScenarioName($0)), summary: summary) })
  }

  private static func source(_ names: SwiftNames, access: SwiftAccess = .internal) -> String {
    let text = names.source(access: access, importing: "StubDBTesting", catalog: "shop.stubdb")
    return text.split(separator: "\n", omittingEmptySubsequences: false).drop {
      $0.hasPrefix("//")
    }.joined(separator: "\n")
  }

  @Test func areasAreNestedAndMembersAreSorted() throws {
    let names = try Self.names("checkout/paid", "start", "checkout/card/declined", "a")
    #expect(
      Self.source(names) == """

        import StubDBTesting

        extension ScenarioNaming where Self == ScenarioName {
          /// `a`
          static var a: ScenarioName { ScenarioName(generated: "a") }
          /// The scenarios `.checkout`.
          static var checkout: ScenarioName.CheckoutNames { .init() }
          /// `start`
          static var start: ScenarioName { ScenarioName(generated: "start") }
        }

        extension ScenarioName {
          /// The scenarios `.checkout`.
          struct CheckoutNames: Sendable {
            /// The scenarios `.checkout.card`.
            var card: CardNames { .init() }
            /// `checkout/paid`
            var paid: ScenarioName { ScenarioName(generated: "checkout/paid") }
            /// The scenarios `.checkout.card`.
            struct CardNames: Sendable {
              /// `checkout/card/declined`
              var declined: ScenarioName { ScenarioName(generated: "checkout/card/declined") }
            }
          }
        }

        """)
  }

  @Test func anAreaThatIsAScenarioNamesItself() throws {
    let source = Self.source(try Self.names("openapi", "openapi/items"), access: .public)
    #expect(source.contains("\npublic import StubDBTesting\n"))
    #expect(
      source.contains(
        """
          public struct OpenapiNames: ScenarioNaming {
            /// `openapi`
            public var scenarioName: String { "openapi" }
            /// `openapi`
            public func callAsFunction() -> ScenarioName { ScenarioName(generated: "openapi") }
            /// `openapi/items`
            public var items: ScenarioName { ScenarioName(generated: "openapi/items") }
          }
        """))
  }

  @Test func scenariosWithTheSameMemberCannotBeUsed() throws {
    let names = try Self.names("pay/card-x", "pay/card.x", "pay/card_x/a", "pay/ok", "pay.s/b")
    let explanation =
      "pay/card-x and pay/card.x would have the same name in Swift, .pay.cardX; "
      + "rename one of them, or write the name as a text"
    #expect(names.clashes.map(SwiftNames.explanation) == [explanation])
    let source = Self.source(names)
    // The area of the same name still has its scenarios, and is none itself.
    #expect(
      source.contains(
        """
            struct CardXNames: Sendable {
              @available(*, unavailable, message: "\(explanation)")
              func callAsFunction() -> ScenarioName { ScenarioName(generated: "pay/card-x") }
              /// `pay/card_x/a`
              var a: ScenarioName { ScenarioName(generated: "pay/card_x/a") }
            }
        """))
    #expect(source.contains("static var payS: ScenarioName.PaySNames { .init() }"))
  }

  @Test func manyScenariosWithTheSameMemberAreCounted() throws {
    let names = try Self.names("a-b", "a--b", "a.b", "a_b", "aB")
    #expect(
      names.clashes.map(SwiftNames.explanation) == [
        "a--b, a-b and 3 others would have the same name in Swift, .aB; "
          + "rename one of them, or write the name as a text"
      ])
  }

  @Test func aSummaryStaysInItsComment() throws {
    let names = try Self.names("a", summary: "one\ntwo\r\u{2028}\u{202E}three \"é\"")
    #expect(Self.source(names).contains("\n  /// `a`: one two   three \"é\"\n  static var a:"))
  }

  @Test func theOrderOfScenariosDoesNotMatter() throws {
    #expect(
      Self.source(try Self.names("b", "a/c", "a-c", "a.c", "a/b"))
        == Self.source(try Self.names("a.c", "a/b", "a-c", "a/c", "b")))
  }

  @Test func noScenariosNeedNoDeclarations() throws {
    #expect(Self.source(SwiftNames([])) == "\nimport StubDBTesting\n")
  }
}
