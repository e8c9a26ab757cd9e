import StubDBSupport
import StubDBTestSupport
import Testing

@Suite struct ShellQuotingTests {
  /// A mark after a quotation mark makes one character of both, which a shell knows nothing of.
  @Test(arguments: [
    "", "plain", "it's", "'", "''", "'\u{301}", "'\u{200D}; exit 3; '\u{FE0F}", "\n'\r\n'",
    "$(exit 3)`exit 3`\\",
  ])
  func aShellReadsTheWordAsItIs(text: String) throws {
    let word = text.inSingleQuotes
    #expect(try Program.run("/bin/sh", ["-c", "[ \(word) = \"$1\" ]", "sh", text]) == 0, "\(word)")
  }
}
