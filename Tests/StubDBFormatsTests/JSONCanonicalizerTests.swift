import Foundation
import StubDBFormats
import StubDBJSON
import Testing

/// Canonical text that is made without a tree is that of the tree.
@Suite struct JSONCanonicalizerTests {
  private func canonical(_ text: some Sequence<UInt8>) -> String? {
    Data(text).withUnsafeBytes { JSONCanonicalizer.canonical($0) }.map {
      String(decoding: $0.text, as: UTF8.self)
    }
  }

  @Test(arguments: [
    #"{"b": 1, "a": 2}"#, #"{"b": {"d": [], "c": {}}, "a": [1, {"z": 0, "y": "x"}]}"#,
    #"[1, -0, 0.5e+3, 1E5, 12345678901234567890.10, null, true, false, ""]"#,
    #"" \" \\ \/ \b \f \n \r \t \u0001 \u00e9 \ud83d\ude00 é 😀 \u0022 \u005C \u007f ""#,
    #"{"a\"b": 1, "a!": 2, "a\u0021b": 3, "": 4, "a": 5}"#, #"{"é": 1, "z": 2, "\u00e8": 3}"#,
    " \n\t{\r\n\"a\" : [ ] } ", "\u{FEFF}[1]", "5", "\"x\"", "{}", "[[[]]]",
    #"{"a": 1, "a": 2}"#, #"{"é": 1, "e\#u{301}": 2}"#, #"{"a": 1, "\u0061": 2}"#, "", " ", "[1,]",
    "{,}", "{\"a\"}", "{\"a\":}", "[1 2]", "01", "-", "1.", ".5", "1e", "+1", "tru", "nulll", "[",
    "{", "\"", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"",
    "\"\n\"", "{1: 2}", "[1]]", "'a'", "// x\n1",
    String(repeating: "[", count: 300) + String(repeating: "]", count: 300),
    String(repeating: "[", count: 600) + String(repeating: "]", count: 600),
  ])
  func textIsThatOfTheValue(text: String) {
    #expect(canonical(text.utf8) == (try? JSONValue(parsing: text))?.canonicalText)
  }

  @Test(
    arguments: [
      [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xC0, 0x80, 0x22],
      [0x22, 0xED, 0xA0, 0x80, 0x22],
      [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x22, 0xE2, 0x82, 0x22],
    ] as [[UInt8]])
  func bytesThatAreNotTextAreRefused(bytes: [UInt8]) {
    #expect(canonical(bytes) == nil)
    #expect(String(data: Data(bytes), encoding: .utf8) == nil)
  }

  @Test func mutilatedTextsAreReadAsTheTreeReadsThem() {
    let text = Array(#"{"b":[1,2.5e3,"x\né\u00e9"],"a":{"d":null,"c":true},"é":"\\"}"#.utf8)
    for place in text.indices {
      for byte in Array("{}[]\",:\\0-e \u{1}".utf8) + [0x80, 0xFF] {
        var changed = text
        changed[place] = byte
        #expect(
          canonical(changed) == (try? JSONValue(parsing: Data(changed)))?.canonicalText,
          "\(String(decoding: changed, as: UTF8.self))")
      }
    }
  }
}
