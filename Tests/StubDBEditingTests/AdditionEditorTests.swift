import Foundation
import HTTPTypes
import StubDBCatalog
import StubDBCatalogEditing
import StubDBEditing
import StubDBEngine
import StubDBJSON
import StubDBModel
import StubDBTestSupport
import Testing

/// What is refused of what is added, and what the ways around it do.
struct AdditionEditorTests {
  private static let name = ScenarioName(unchecked: "s")

  /// An empty catalog, to which stubs of one scenario are added.
  private struct Adding {
    let catalog: Catalog

    /// The stub of a document.
    func stub(_ document: String) throws -> CheckedStub {
      try CheckedStub(documentValue: JSONValue(parsing: Data(document.utf8)))
    }

    @discardableResult
    func add(_ addition: Addition, replacing: Bool = false) throws -> [AdditionChange] {
      try catalog.edit { editor in
        try AdditionEditor.apply(
          [addition], to: &editor, of: catalog,
          AdditionEditor.Rules(replaces: replacing, refusesSecrets: false))
      }
    }

    /// Adds a stub, whose key is made of its request if the document has none.
    @discardableResult
    func add(_ document: String, replacing: Bool = false) throws -> [AdditionChange] {
      let hasKey = document.hasPrefix(#"{"key""#)
      let stub = try stub(hasKey ? document : #"{"key": "new", "# + document.dropFirst())
      return try add(.stubs([stub], name, keyIsDerived: !hasKey), replacing: replacing)
    }

    /// The text of the stub that answers first.
    func answer(_ url: String, _ headers: HTTPFields = [:]) throws -> String? {
      let request = StubRequest(url: url, headers: headers)
      return try catalog.load(name).firstMatch(for: request)?.stub.responses.last?.text
    }
  }

  private func withCatalog(_ body: (Adding) throws -> Void) throws {
    try withTemporaryFolder { folder in
      try body(Adding(catalog: Catalog.create(at: folder.appendingPathComponent("a.stubdb"))))
    }
  }

  @Test(arguments: [
    (#""request": {"url": "/**"}"#, #""request": {"url": "/v1/me"}"#, false),
    (
      #""request": {"url": "/v1/**"}"#,
      #""request": {"method": "GET", "url": "https://a.test/v1/{id}/x"}"#, false
    ),
    (
      #""request": {"url": "/v1/me"}"#,
      #""request": {"url": "/v1/me", "headers": {"X-A": "1"}}"#, false
    ),
    (
      #""request": {"url": "/v1/me", "headers": {"X-A": "1"}}"#,
      #""request": {"url": "/v1/me"}"#, true
    ),
    (#""request": {"url": "/x?q=a"}"#, #""request": {"url": "/x?q=a&q=b"}"#, false),
    (#""request": {"url": "/x?q=a&q=b"}"#, #""request": {"url": "/x?q=a"}"#, true),
    (#""request": {"url": "/v1/**"}"#, #""request": {"url": "/v2/me"}"#, true),
    (#""request": {"url": "/v1/me"}, "then": "next""#, #""request": {"url": "/v1/me"}"#, true),
    (#""request": {"url": "/v1/me"}, "priority": 6"#, #""request": {"url": "/v1/me"}"#, true),
    (#""request": {"url": "/v1/**"}"#, #""request": {"url": "/v1/me"}, "priority": 4"#, true),
    (#""request": {"url": "/v1/{id}"}"#, #""request": {"url": "/v1/{id}/x"}"#, true),
    (
      #""request": {"url": "/x", "body": {"equalTo": "1"}}"#,
      #""request": {"url": "/x", "body": {"equalTo": "2"}}"#, true
    ),
  ])
  func onlyAStubThatCanAnswerIsAdded(first: String, second: String, isAdded: Bool) throws {
    try withCatalog { adding in
      try adding.add(#"{"key": "one", \#(first)}"#)
      guard isAdded else {
        let refusal = #expect(throws: EditRefusal.self) {
          try adding.add(#"{"key": "two", \#(second)}"#)
        }
        guard case .hidden(let stub, by: let other, in: Self.name)? = refusal else {
          Issue.record("\(String(describing: refusal))")
          return
        }
        #expect(stub.key == "two" && other.key == "one")
        try adding.add(#"{"key": "two", \#(second), "priority": 4}"#)
        return
      }
      var hidden: [CheckProblem] = []
      for case .written(let written) in try adding.add(#"{"key": "two", \#(second)}"#) {
        hidden += written.hidden
      }
      #expect(try adding.catalog.check() == hidden)
    }
  }

  /// Stubs for `GET /a` in the order of the document, of which only `quick` ever answers.
  @Test(arguments: [
    [("slow", 5), ("quick", 4)], [("quick", 4), ("slow", 5)],
    [("slow", 5), ("quick", 3), ("mid", 4)],
  ])
  func theStubThatAnswersIsTheOneThatIsNamed(stubs: [(String, Int)]) throws {
    let request = #""request": {"method": "GET", "path": "/a"}"#
    let three = #""responses": [{"text": "three"}]"#
    /// Tries something beside the stubs; returns the stub that answers then.
    func answering(_ change: (Adding, Stub) throws -> Void) throws -> Stub? {
      var answering: Stub?
      try withCatalog { adding in
        let stubs = try stubs.map { key, priority in
          try adding.stub(#"{"key": "\#(key)", "priority": \#(priority), \#(request)}"#).stub
        }
        try adding.catalog.edit { editor in
          for stub in stubs { try editor.insert(stub, into: Self.name) }
        }
        let refusal = #expect(throws: EditRefusal.self) {
          try adding.add("{\(request), \(three)}")
        }
        guard case .hidden(_, by: let other, in: _)? = refusal else { return }
        #expect(other.key == "quick")
        try change(adding, other)
        let loaded = try adding.catalog.load(Self.name)
        answering = loaded.firstMatch(for: StubRequest(url: "https://h.test/a"))?.stub
      }
      return answering
    }
    let inItsPlace = try answering { adding, other in
      try adding.add(
        "{\(request), \(three), \"priority\": \(other.priority)}", replacing: true)
    }
    #expect(inItsPlace?.key == "quick" && inItsPlace?.responses.map(\.text) == ["three"])
    let next = try answering { adding, other in
      try adding.add(
        .response(Self.name, key: nil, other.request) { stub in
          var stub = stub
          stub.responses.append(.text("three"))
          return try CheckedStub(stub)
        })
    }
    #expect(next?.key == "quick" && next?.responses.map(\.text) == ["", "three"])
    let first = try answering { adding, other in
      try adding.add("{\(request), \(three), \"priority\": \(other.priority - 1)}")
    }
    #expect(first?.key == "get-a" && first?.responses.map(\.text) == ["three"])
  }

  @Test func aFurtherResponseNeedsAStubForItsRequest() throws {
    try withCatalog { adding in
      try adding.add(#"{"key": "me", "request": {"url": "/me"}}"#)
      func refusal(key: Stub.Key?, _ path: String) throws -> EditRefusal? {
        #expect(throws: EditRefusal.self) {
          try adding.add(
            .response(Self.name, key: key, RequestPattern(path: .template(path))) {
              try CheckedStub($0)
            })
        }
      }
      guard case .nothingToContinue(Self.name)? = try refusal(key: nil, "/no"),
        case .otherRequest("me", in: Self.name)? = try refusal(key: "me", "/no")
      else {
        Issue.record("refused otherwise")
        return
      }
    }
  }

  @Test func whatNeverAnswersAfterAReplacementOrAFurtherResponseIsSaid() throws {
    try withCatalog { adding in
      try adding.add(#"{"key": "one", "request": {"url": "/a"}}"#)
      try adding.add(#"{"key": "first", "request": {"url": "/**"}, "priority": 1}"#)
      let replaced = try adding.add(#"{"key": "one", "request": {"url": "/a"}}"#, replacing: true)
      guard case .stub(_, in: _, replaced: true, makesScenario: false, let hider)? = replaced.first
      else {
        Issue.record("\(replaced)")
        return
      }
      #expect(hider?.key == "first")
      let further = try adding.add(.response(Self.name, key: "one", nil) { try CheckedStub($0) })
      guard case .response(_, in: _, hiddenBy: let hider)? = further.first else {
        Issue.record("\(further)")
        return
      }
      #expect(hider?.key == "first")
    }
  }

  @Test func anEarlierStubForOneRequestAnswersAlsoAfterItWasReplaced() throws {
    try withCatalog { adding in
      try adding.catalog.edit { editor in
        for key in ["a", "b"] {
          try editor.insert(Stub(key: Stub.Key(unchecked: key)), into: Self.name)
        }
      }
      let changes = try adding.add(#"{"key": "a", "request": {"url": "/**"}}"#, replacing: true)
      guard case .stub(_, in: _, replaced: true, makesScenario: _, hiddenBy: nil)? = changes.first
      else {
        Issue.record("\(changes)")
        return
      }
    }
  }

  /// A key that was made from a request is no decision about the stub that has it.
  @Test func onlyTheStubForTheSameRequestOrOfAGivenKeyIsReplaced() throws {
    try withCatalog { adding in
      func put(_ key: String, _ url: String, _ text: String, replacing: Bool = true) throws {
        try adding.add(
          """
          {\(key)"request": {"method": "GET", "url": "\(url)"}, "responses": [{"text": "\(text)"}]}
          """, replacing: replacing)
      }
      func answers() throws -> [String?] {
        try ["/p?x=1", "/p?x=2"].map { try adding.answer("https://h.test\($0)") }
      }
      try put("", "/p?x=1", "one", replacing: false)
      try put("", "/p?x=2", "two")
      #expect(try answers() == ["one", "two"])
      try put("", "/p?x=2", "three")
      #expect(try answers() == ["one", "three"])
      try put(#""key": "get-p-2", "#, "/p?x=2&y=3", "key")
      #expect(try answers() == ["one", nil])
      let stubs = try adding.catalog.scenario(named: Self.name).stubs
      #expect(stubs.map(\.key.rawValue).sorted() == ["get-p", "get-p-2"])
    }
  }

  @Test func textsThatOnlyTheirCompositionDistinguishesAreDifferentRequests() throws {
    try withCatalog { adding in
      let values = ["caf\u{E9}", "cafe\u{301}"]
      for (number, value) in values.enumerated() {
        try adding.add(
          """
          {"request": {"url": "/x", "headers": {"X-A": "\(value)"}},
            "responses": [{"text": "\(number)"}]}
          """, replacing: true)
      }
      let name = try #require(HTTPField.Name("X-A"))
      for (number, value) in values.enumerated() {
        #expect(try adding.answer("https://h.test/x", [name: value]) == "\(number)")
      }
    }
  }

  @Test(arguments: [
    (#"{"url": "http://ho%3A80/w"}}"#, "/request/url"),
    (#"{"host": "ho%2Fst"}}"#, "/request/host"),
    (#"{"body": {"matchesJsonPath": "$.a[?"}}}"#, "/request/body/matchesJsonPath"),
    (#"{"body": {"matchesXPath": "//a["}}}"#, "/request/body/matchesXPath"),
    (#"{"body": {"matchesJsonSchema": {"type": "nope"}}}}"#, "/request/body/matchesJsonSchema"),
    (#"{"body": {"equalToXml": "<a>"}}}"#, "/request/body/equalToXml"),
    (#"{"headers": {"A": {"matches": "(["}}}}"#, "/request/headers/A/matches"),
    (#"{}, "responses": [{"template": true, "text": "{{request.nope}}"}]}"#, "/responses/0/text"),
  ])
  func whatCheckWouldRefuseHasItsPlaceInTheFile(stub: String, pointer: String) throws {
    let stub = "{\"key\": \"k\",\n \"request\": \(stub)"
    for (text, place) in [
      (stub, "2: \(pointer)"), ("[\n{\"key\": \"fine\"},\n\(stub)]", "4: /1\(pointer)"),
      ("{\"scenario\": \"s\", \"stubs\": [\n\(stub)]}", "3: /stubs/0\(pointer)"),
    ] {
      try withTemporaryFolder { folder in
        let file = folder.appendingPathComponent("a.json")
        try Data(text.utf8).write(to: file)
        let error = #expect(throws: DocumentError.self) {
          switch try DocumentSource("a.json", at: file).content() {
          case (.scenarios(let scenarios), let text):
            for scenario in scenarios { try text.require(scenario, besides: []) }
          case (.stubs(let stubs), let text): try text.require(stubs, in: Self.name)
          }
        }
        #expect(error?.description.hasPrefix("a.json:\(place)") == true, "\(text)")
      }
    }
  }
}
