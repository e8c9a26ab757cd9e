import Foundation
import StubDBEditing
import StubDBEngine
import StubDBFormats
import StubDBJSON
import StubDBJobs
import StubDBModel
import StubDBPublishing
import StubDBSupport

/// Content as an argument: text, `@PATH` for a file, or `@-` for standard input.
///
/// `@@` at the beginning represents a literal `@`.
enum DataArgument {
  /// Whether the argument asks for standard input.
  static func readsStandardInput(_ argument: String?) -> Bool { argument == "@-" }

  /// The content.
  ///
  /// - Throws: ``CommandError`` if a file cannot be read.
  static func bytes(_ argument: String) throws -> Data {
    guard argument.hasPrefix("@") else { return Data(argument.utf8) }
    let path = String(argument.dropFirst())
    if path.hasPrefix("@") { return Data(path.utf8) }
    let hint = "For a text that begins with @, write two of them: \(ShellWord.quoted("@@" + path))"
    return try contents(of: path, hints: [hint])
  }

  /// The content of a file, or of standard input for `-`.
  static func contents(of path: String, hints: [String] = []) throws -> Data {
    if path == "-" { return try DocumentSource.standardInput() }
    do {
      return try DocumentSource.bytes(at: CatalogLocator().resolve(path))
    } catch {
      throw CommandError("cannot read \(path): \(error)", hints: hints)
    }
  }

  /// The text.
  ///
  /// - Throws: ``CommandError`` if a file cannot be read or is not text.
  static func text(_ argument: String, of option: String) throws -> String {
    guard let text = String(strictUTF8: try bytes(argument)) else {
      throw CommandError(
        "\(option): \(name(of: argument)) is not text in UTF-8",
        hints: ["For bytes of any kind: --body-file \(ShellWord.quoted(name(of: argument)))"])
    }
    return text
  }

  /// The JSON value.
  ///
  /// - Throws: ``UsageError`` if the text is not JSON; ``CommandError`` if a file is not.
  static func json(_ argument: String, of option: String) throws -> JSONValue {
    let data = try bytes(argument)
    do throws(JSONSyntaxError) {
      return try JSONValue(parsing: data)
    } catch {
      let place = "\(error.message) in line \(error.line), column \(error.column)"
      guard argument.hasPrefix("@"), !argument.hasPrefix("@@") else {
        throw UsageError("\(option): it is not JSON: \(place)")
      }
      throw CommandError("\(option): \(name(of: argument)) is not JSON: \(place)")
    }
  }

  private static func name(of argument: String) -> String {
    argument == "@-" ? "standard input" : String(argument.dropFirst())
  }
}

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
  /// - Throws: ``CommandError`` if it is not a curl command or cannot be parsed.
  init(_ argument: String) throws {
    var text = try DataArgument.text(argument == "-" ? "@-" : argument, of: "--from-curl")
    // The byte order mark of a file is no part of the command.
    if text.first == "\u{FEFF}" { text.removeFirst() }
    do {
      let command = try CurlCommand(parsing: text) { path in
        if path == "-" {
          throw ArgumentError("the command reads standard input; give a file or the text")
        }
        do {
          return try DocumentSource.bytes(at: CatalogLocator().resolve(path))
        } catch {
          throw ArgumentError("cannot read the file \(TerminalText.quoted(path)): \(error)")
        }
      }
      let (pattern, leftOut) = try command.pattern()
      self.pattern = pattern
      notes = Self.notes(leftOut: leftOut, variables: command.variables)
    } catch {
      throw CommandError("--from-curl: \(SecretDisplay.text(ErrorText.message(for: error)))")
    }
  }

  private static func notes(leftOut: [String], variables: [String]) -> [String] {
    var notes: [String] = []
    if !leftOut.isEmpty {
      let names = leftOut.map(TerminalText.line).joined(separator: ", ")
      let isParameter = leftOut.contains { $0.hasPrefix(CurlCommand.parameterPrefix) }
      let isField = leftOut.contains { !$0.hasPrefix(CurlCommand.parameterPrefix) }
      let option = [
        isField ? "-H 'Name: value'" : nil, isParameter ? "--when-query 'name=value'" : nil,
      ].compactMap(\.self).joined(separator: " or ")
      notes.append(
        "Left out, so that any value matches: \(names). To ask for one: \(option)")
    }
    if !variables.isEmpty {
      let names = variables.map(TerminalText.line).joined(separator: ", ")
      notes.append("Variables of the shell are taken as text: \(names)")
    }
    return notes
  }
}
