import Foundation

/// Content as an argument: text, `@PATH` for a file, or `@-` for standard input.
///
/// A text that begins with `@` is written with two of them.
enum DataArgument {
  /// The bytes.
  ///
  /// - Throws: ``CommandFailure`` where a file cannot be read.
  static func bytes(_ argument: String) throws -> Data {
    guard argument.hasPrefix("@") else { return Data(argument.utf8) }
    if argument.hasPrefix("@@") { return Data(argument.utf8.dropFirst()) }
    let path = String(argument.dropFirst())
    if path == "-" { return try FileHandle.standardInput.readToEnd() ?? Data() }
    return try DocumentSource.data(at: CatalogLocator().resolve(path), named: path)
  }
}
