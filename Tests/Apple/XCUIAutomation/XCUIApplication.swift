// swift-format-ignore-file
// What Apple declares for tests of an app's interface, as far as StubDBUITesting and its page use it.

@MainActor public protocol XCUIElementTypeQueryProvider {}

extension XCUIElementTypeQueryProvider {
  public var buttons: XCUIElementQuery { XCUIElementQuery() }
  public var staticTexts: XCUIElementQuery { XCUIElementQuery() }
}

@MainActor public class XCUIElementQuery {
  init() {}
  public subscript(key: String) -> XCUIElement { XCUIElement() }
}

@MainActor public class XCUIElement: XCUIElementTypeQueryProvider {
  init() {}
  public func tap() {}
  public func waitForExistence(timeout: Double) -> Bool { false }
}

@MainActor public final class XCUIApplication: XCUIElement {
  public override init() {}
  public var launchEnvironment: [String: String] = [:]
  public func launch() {}
}
