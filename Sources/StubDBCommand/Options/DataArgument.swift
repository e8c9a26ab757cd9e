import Foundation
import StubDBJSON
import StubDBModel

/// Content as an argument: text, `@PATH` for a file, or `@-` for standard input.
///
/// `@@` at the beginning stands for a literal `@`.
enum DataArgument {
  /// Whether the argument asks for standard input.
  static func readsStandardInput(_ argument: String?) -> Bool { argument == "@-" }

  /// The content.
  ///
  /// - Throws: ``CommandFailure`` if a file cannot be read.
  static func bytes(_ argument: String) throws -> Data {
    guard argument.hasPrefix("@") else { return Data(argument.utf8) }
    let path = String(argument.dropFirst())
    if path.hasPrefix("@") { return Data(path.utf8) }
    if path == "-" { return try DocumentSource.standardInput() }
    do {
      return try DocumentSource.bytes(at: CatalogLocator().resolve(path))
    } catch {
      throw CommandFailure(
        "cannot read \(path): \(error)",
        hints: [
          "For a text that begins with @, write two of them: \(ShellQuoting.quote("@@" + path))"
        ])
    }
  }

  /// The text.
  ///
  /// - Throws: ``CommandFailure`` if a file cannot be read or is not text.
  static func text(_ argument: String, of option: String) throws -> String {
    guard let text = String(data: try bytes(argument), encoding: .utf8) else {
      throw CommandFailure(
        "\(option): \(name(of: argument)) is not text in UTF-8",
        hints: ["For bytes of any kind: --body-file \(ShellQuoting.quote(name(of: argument)))"])
    }
    return text
  }

  /// The JSON value.
  ///
  /// - Throws: ``UsageFailure`` if the text is not JSON; ``CommandFailure`` if a file is not.
  static func json(_ argument: String, of option: String) throws -> JSONValue {
    let data = try bytes(argument)
    do throws(JSONSyntaxError) {
      return try JSONValue(parsing: data)
    } catch {
      let place = "\(error.message) in line \(error.line), column \(error.column)"
      guard argument.hasPrefix("@"), !argument.hasPrefix("@@") else {
        throw UsageFailure("\(option): it is not JSON: \(place)")
      }
      throw CommandFailure("\(option): \(name(of: argument)) is not JSON: \(place)")
    }
  }

  private static func name(of argument: String) -> String {
    argument == "@-" ? "standard input" : String(argument.dropFirst())
  }
}
