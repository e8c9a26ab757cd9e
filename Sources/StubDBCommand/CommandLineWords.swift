import Foundation

/// The arguments, checked and rearranged for the argument parser.
struct CommandLineWords {
  /// The arguments, without the name of the program.
  private(set) var words: [String]
  /// Whether `--no-pager` is among them.
  private(set) var hasNoPager: Bool

  /// Reads the arguments of this process.
  ///
  /// - Throws: ``UsageError`` if one of them, the path in the environment or the current folder is not UTF-8, because
  /// with replacement characters it would name another file.
  static func ofThisProcess() throws -> [String] {
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

  /// Handles the options before the command: changes to the folders of `-C`, and moves the other options after the
  /// command, where the argument parser expects them.
  init(_ words: [String]) throws {
    var (index, moved) = (0, [String]())
    func value() throws -> String {
      guard index + 1 < words.count else {
        throw UsageError("\(words[index]) needs a value.")
      }
      return words[index + 1]
    }
    reading: while index < words.count {
      switch words[index] {
      case "-C":
        try CommonOptions.enter(value())
        index += 1
      case let word where word.hasPrefix("-C"):
        try CommonOptions.enter(String(word.dropFirst(2)))
      case "--catalog", "--color":
        moved += [words[index], try value()]
        index += 1
      case "--no-pager": moved.append(words[index])
      case let word where word.hasPrefix("--catalog=") || word.hasPrefix("--color="):
        moved.append(word)
      default: break reading
      }
      index += 1
    }
    let rest = Array(words[index...])
    let count = CommandPath(rest).names.count
    // Without a command only the help is shown, which does not use them.
    self.words = count == 0 ? rest : rest.prefix(count) + moved + rest.dropFirst(count)
    let options = words.prefix { $0 != "--" }
    hasNoPager = options.contains("--no-pager")
  }

  private static func text(_ pointer: UnsafePointer<CChar>, _ what: String) throws -> String {
    if let text = String(validatingCString: pointer) { return text }
    throw UsageError(
      "\(what) is not UTF-8: \(TerminalText.bytes(UnsafeRawBufferPointer(start: pointer, count: strlen(pointer)))). "
        + "stubdb cannot use such a name; rename the file or folder.")
  }
}
