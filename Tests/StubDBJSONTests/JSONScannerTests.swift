import Foundation
import StubDBDocuments
import StubDBJSON
import Testing

@Suite struct JSONScannerTests {
  /// The tokens of a text, and the texts of names and strings among them.
  private func scan(
    _ text: String, isLenient: Bool = false
  ) throws -> (tokens: [JSONScanner.Token], texts: [String]) {
    try Data(text.utf8).withUnsafeBytes { bytes in
      var scanner = JSONScanner(bytes, isLenient: isLenient)
      var (tokens, texts): ([JSONScanner.Token], [String]) = ([], [])
      while let token = try scanner.next() {
        tokens.append(token)
        if token == .name || token == .string { texts.append(scanner.text) }
      }
      return (tokens, texts)
    }
  }

  @Test func aTextIsReadTokenByToken() throws {
    let (tokens, texts) = try scan(
      #" {"a": [1, "x\né", true, []], "": {"b": null}, "c": false} "#)
    #expect(
      tokens == [
        .beginObject, .name, .beginArray, .number, .string, .yes, .beginArray, .endArray, .endArray,
        .name, .beginObject, .name, .null, .endObject, .name, .no, .endObject,
      ])
    #expect(texts == ["a", "x\né", "", "b", "c"])
  }

  @Test(arguments: [
    (#"'it is "quoted"'"#, #"it is "quoted""#), (#"'it\'s'"#, "it's"), (#""it's""#, "it's"),
    ("// a\n\"b\" /* c */", "b"), (#""\ud800x""#, "\u{FFFD}x"),
    (#""\udc00\ud800""#, "\u{FFFD}\u{FFFD}"),
    (#""\ud83d\ude00\u00e9""#, "😀é"),
  ])
  func aLenientScannerReadsWhatOtherToolsDo(text: String, value: String) throws {
    #expect(try scan(text, isLenient: true).texts == [value])
  }

  @Test(arguments: ["'a'", "// a\n1", "/* a */ 1", #""\'""#, #""\ud800x""#, #""\udc00""#])
  func aStrictScannerRefusesIt(text: String) {
    #expect(throws: JSONSyntaxError.self) { try scan(text) }
  }

  @Test(arguments: [#""\u12g4""#, #""\x""#, "/ 1", "/* 1", "'a", #""a'"#, "[1,]", "{a: 1}"])
  func whatNoToolReadsIsRefused(text: String) {
    #expect(throws: JSONSyntaxError.self) { try scan(text, isLenient: true) }
    #expect(throws: JSONSyntaxError.self) { try scan(text) }
  }

  @Test(arguments: [
    ("[[1], {\"a\": []}]", 3), ("\"[[[\"", 0), ("{\"[\\\"[\": 1}", 1), ("1", 0), ("[", 1),
  ])
  func theDepthOfATextIsFound(text: String, depth: Int) {
    #expect(!JSONScanner.nests(Data(text.utf8), deeperThan: depth))
    #expect(depth == 0 || JSONScanner.nests(Data(text.utf8), deeperThan: depth - 1))
  }

  @Test(
    arguments: [
      ([], 1), (["a"], 2), (["a", "0"], 8), (["a", "1"], 12), (["a", "1", "b\""], 13),
      (["c"], 31), (["c", "0"], nil), (["d"], nil), (["a", "2"], nil), (["a", "x"], nil),
    ] as [([String], Int?)])
  func thePlaceOfAValueIsFound(tokens: [String], offset: Int?) {
    let text = Data(#" {"a": [10, {"b\"": [[], 2]}], "\u0063": 3}"#.utf8)
    #expect(JSONPlaceFinder.offset(of: JSONPointer(tokens), in: text) == offset)
  }
}
