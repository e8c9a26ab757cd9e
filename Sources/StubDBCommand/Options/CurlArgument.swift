import Foundation
import StubDBCatalog
import StubDBEngine
import StubDBFormats
import StubDBJSON
import StubDBModel
import StubDBSecrets

/// A curl command as an argument: its text, `-` for standard input, or `@PATH` for a file.
struct CurlArgument {
  /// The pattern that the command's request satisfies.
  let pattern: RequestPattern
  /// Notes about the pattern, one per line.
  let notes: [String]

  /// Whether the argument asks for standard input.
  static func readsStandardInput(_ argument: String?) -> Bool {
    argument == "-" || DataArgument.readsStandardInput(argument)
  }

  /// Parses an argument.
  ///
  /// - Throws: ``CommandFailure`` if it is not a curl command or cannot be parsed.
  init(_ argument: String) throws {
    let text = try DataArgument.text(argument == "-" ? "@-" : argument, of: "--from-curl")
    do {
      let command = try CurlCommand(parsing: text) { path in
        if path == "-" {
          throw ArgumentProblem("the command reads standard input; give a file or the text")
        }
        do {
          return try DocumentSource.bytes(at: CatalogLocator().resolve(path))
        } catch {
          throw ArgumentProblem("cannot read the file \(Printable.quoted(path)): \(error)")
        }
      }
      let (pattern, leftOut) = try command.pattern()
      self.pattern = pattern
      notes = Self.notes(leftOut: leftOut, variables: command.variables)
    } catch {
      throw CommandFailure("--from-curl: \(SecretDisplay.text(ErrorText.message(for: error)))")
    }
  }

  /// What is to be known about the stub that was made of the command: the secrets that it now holds.
  static func notes(on addition: Addition, in catalog: Catalog) -> [String] {
    guard case .stub(let stub, let scenario, _) = addition else { return [] }
    var scanner = SecretScanner()
    let findings = scanner.findings(in: Scenario(name: scenario, stubs: [stub]))
    if findings.isEmpty { return [] }
    let redact = FollowUp.command("redact", "--findings", in: catalog)
    return findings.map { finding in
      "The curl command held a secret, which is now in the catalog: \(FindingView.line(finding))"
    } + ["To take it out: \(redact)"]
  }

  private static func notes(leftOut: [String], variables: [String]) -> [String] {
    var notes: [String] = []
    if !leftOut.isEmpty {
      let names = leftOut.map(Printable.line).joined(separator: ", ")
      let isParameter = leftOut.contains { $0.hasPrefix(CurlCommand.parameterPrefix) }
      let isField = leftOut.contains { !$0.hasPrefix(CurlCommand.parameterPrefix) }
      let option = [
        isField ? "-H 'Name: value'" : nil, isParameter ? "--when-query 'name=value'" : nil,
      ].compactMap(\.self).joined(separator: " or ")
      notes.append(
        "Left out, so that any value matches: \(names). To ask for one: \(option)")
    }
    if !variables.isEmpty {
      let names = variables.map(Printable.line).joined(separator: ", ")
      notes.append("Variables of the shell are taken as text: \(names)")
    }
    return notes
  }
}
