import Foundation
import StubDBDocuments
import StubDBJSON
import StubDBModel
import Testing

/// All mistakes of a document at once.
struct DocumentMistakesTests {
  private func mistakes(_ text: String) -> [String] {
    ScenarioDocument.mistakes(in: Data(text.utf8)).map { error in
      "\(error.line ?? 0) \(error.pointer) \(error.code.rawValue)"
    }
  }

  @Test func independentMistakesAreAllNamed() {
    #expect(
      mistakes(
        """
        {"scenario": "a/b", "tagz": [], "stubs": [
          {"key": "a", "request": {"urlPath": "/x", "bodyPatterns": []}},
          {"request": {"url": "/y"}, "responses": [{"status": 5, "delay": "soon"}]},
          {"key": "c",
           "responses": [{"status": 5}, {"delay": "soon"}]},
          {"key": "d", "request": {"url": "http://"}}
        ]}
        """) == [
          "1 /tagz unknownKey", "2 /stubs/0/request/bodyPatterns unknownKey",
          "2 /stubs/0/request/urlPath unknownKey", "3 /stubs/1 missingKey",
          "5 /stubs/2/responses/0/status invalidValue", "5 /stubs/2/responses/1/delay invalidValue",
          "6 /stubs/3/request/url invalidValue",
        ])
  }

  /// Without what was refused, the rest may lack something that the text has.
  @Test(arguments: [
    (
      #"{"scenario": "a", "stubs": [{"key": "a", "flow": {"name": 1}}]}"#,
      ["1 /stubs/0/flow/name wrongType"]
    ),
    (#"{"scenario": "A b", "stubs": []}"#, ["1 /scenario invalidValue"]),
    (#"[{"key": 1}]"#, ["1 /0/key wrongType"]),
    (#"{"scenario": "a""#, ["1  syntax"]),
    (#"{"scenario": "a", "stubs": []}"#, []),
    (
      #"{"key": "a", "responses": [{"error": "timedOutt", "afterBytes": 3, "text": "abcdef"}]}"#,
      ["1 /responses/0/error invalidValue"]
    ),
  ])
  func consequencesAreNot(text: String, expected: [String]) {
    #expect(mistakes(text) == expected)
  }

  @Test func thereIsALimit() {
    let stubs = (0..<20).map { "{\"key\": \"k\($0)\", \"kee\": 1}" }.joined(separator: ",\n")
    let found = mistakes("[\(stubs)]")
    #expect(found.count == 10 && found[9] == "10 /9/kee unknownKey")
  }

  @Test func aVeryDeepPlaceIsShownWithoutItsMiddle() {
    func line(depth: Int) -> String {
      let pointer = JSONPointer((0..<depth).map { "\($0)" })
      return DocumentError(.syntax, pointer: pointer, message: "too deep").description
    }
    #expect(
      line(depth: 512)
        == "/0/1/2/3/4/5/6/7/…/504/505/506/507/508/509/510/511: too deep")
    let shown = (0..<32).map { "/\($0)" }.joined()
    #expect(line(depth: 32) == "\(shown): too deep")
  }
}
