import Foundation
import StubDBJSON
import StubDBModel
import StubDBSecrets
import Testing

struct ScanExceptionsTests {
  @Test(arguments: [
    (#"{"exceptions":[{"scenario":"a"}]}"#, "needs a \"reason\""),
    (#"{"exceptions":[{"scenario":"a","reason":" "}]}"#, "needs a \"reason\""),
    (#"{"exceptions":[{"reason":"r"}]}"#, "needs a \"scenario\" or a \"fingerprint\""),
    (#"{"exceptions":[{"fingerprint":"f","reason":"r"}]}"#, "needs the \"salt\""),
    (#"{"exceptions":[{"scenaro":"a","reason":"r"}]}"#, "did you mean \"scenario\"?"),
    (#"{"exceptions":[{"scenario":"a","kind":"jtw","reason":"r"}]}"#, "did you mean \"jwt\"?"),
    (#"{"exceptons":[]}"#, "did you mean \"exceptions\"?"), ("{", "expected"),
    ("[]", "expected an object (a file of exceptions), found a list"),
  ])
  func whatIsWrongIsNamedWithItsPlace(text: String, message: String) throws {
    let error = try #require(throws: DocumentError.self) {
      try ScanExceptions(parsing: Data(text.utf8), file: "f.json")
    }
    #expect(error.description.hasPrefix("f.json:1"))
    #expect(error.description.contains(message), "\(error)")
  }

  @Test func theTextReadsBackAsTheSame() throws {
    let text = """
      {
        "salt": "s",
        "exceptions": [
          {
            "scenario": "a/b",
            "key": "k",
            "pointer": "/stubs/0",
            "kind": "jwt",
            "fingerprint": "f",
            "reason": "because \\"of\\""
          }
        ]
      }

      """
    #expect(try ScanExceptions(parsing: Data(text.utf8), file: "f").text == text)
  }
}
