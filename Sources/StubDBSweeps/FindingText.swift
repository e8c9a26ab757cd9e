#if canImport(Testing)
  import StubDBTesting
  import StubDBVariations
  import Testing

  /// A finding as the issue of a test, with the code and the command that repeat it alone.
  struct FindingText {
    let text: String

    init(_ finding: Finding, of variation: Variation, in test: Test) {
      text = Self.text(finding.message, variation, test)
    }

    /// The text about a variation.
    static func text(_ message: String, _ variation: Variation, _ test: Test) -> String {
      let stub = variation.stub.map { stub in
        stub.scenario.map { "stub \"\(stub.key)\" of scenario \"\($0)\" " } ?? "\(stub.key) "
      }
      return """
        \(variation.name): \(message)
        In this variation, \(stub ?? "")\(variation.summary).
        To repeat it alone, add the trait \(trait(variation)), or run
          \(command(variation, test))
        """
    }

    private static func trait(_ variation: Variation) -> String {
      let name = variation.name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      return ".only(\"\(name)\")"
    }

    private static func command(_ variation: Variation, _ test: Test) -> String {
      let filter = quoted(TestPattern.selecting(test.ledgerName))
      return "\(SweepFilter.variable)=\(quoted(variation.name)) swift test --filter \(filter)"
    }

    /// The text as one word of a shell.
    private static func quoted(_ text: String) -> String {
      let isPlain = text.unicodeScalars.allSatisfy { scalar in
        scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
          || "-_./=:,@%+".unicodeScalars.contains(scalar)
      }
      return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }
  }
#endif
