import Foundation
import StubDBJobs
import StubDBPublishing

/// The arguments, checked and rearranged for the argument parser.
enum CommandLineWords {
  /// Reads the arguments of this process.
  ///
  /// - Throws: ``UsageError`` if one of them, the path in the environment or the current folder is not UTF-8, because
  /// with replacement characters it would name another file.
  static func ofThisProcess() throws(UsageError) -> [String] {
    var words: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let pointer = CommandLine.unsafeArgv[index] else { break }
      words.append(try text(pointer, "argument \(index)"))
    }
    if let pointer = getenv(CatalogLocator.variable) {
      _ = try text(pointer, "the path in $\(CatalogLocator.variable)")
    }
    if let pointer = getcwd(nil, 0) {
      defer { free(pointer) }
      _ = try text(pointer, "the path of the current folder")
    }
    return words
  }

  /// Moves the common options before the command behind it, where the command's own parser expects them.
  static func arranged(_ words: [String]) throws(UsageError) -> [String] {
    var (rest, moved) = (words[...], [String]())
    while let word = rest.first {
      let hasValue = ["-C", "--catalog", "--color"].contains(word)
      guard
        hasValue || word == "--no-pager"
          || ["-C", "--catalog=", "--color="].contains(where: word.hasPrefix)
      else { break }
      if hasValue, rest.count == 1 { throw UsageError("\(word) needs a value.") }
      moved += rest.prefix(hasValue ? 2 : 1)
      rest = rest.dropFirst(hasValue ? 2 : 1)
    }
    let count = CommandPath(rest).names.count
    // Without a command only the help is shown, and of them it uses only one, which ``Main`` looks for.
    if count == 0 { return rest.filter { $0 != "--no-pager" } }
    return rest.prefix(count) + moved + rest.dropFirst(count)
  }

  private static func text(
    _ pointer: UnsafePointer<CChar>, _ what: String
  ) throws(UsageError) -> String {
    if let text = String(validatingCString: pointer) { return text }
    let shown: JobText = "\(bytes: UnsafeRawBufferPointer(start: pointer, count: strlen(pointer)))"
    throw UsageError(
      "\(what) is not UTF-8: \(shown). stubdb cannot use such a name; rename the file or folder.")
  }
}
