import Foundation

/// The content of a request as an argument: text, or `@FILE`, or `@-` for standard input.
enum DataArgument {
  /// The bytes.
  ///
  /// - Throws: ``CommandFailure`` where a file cannot be read.
  static func bytes(_ argument: String) throws -> Data {
    guard argument.hasPrefix("@") else { return Data(argument.utf8) }
    let path = String(argument.dropFirst())
    if path == "-" { return try FileHandle.standardInput.readToEnd() ?? Data() }
    return try DocumentSource.data(at: CatalogLocator().resolve(path), named: path)
  }
}
