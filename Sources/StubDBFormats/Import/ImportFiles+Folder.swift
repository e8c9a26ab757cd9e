/// What of a folder is imported, and how it is named.
extension ImportFiles {
  /// The inputs without scripts that call curl, unless there is nothing else: in a folder of stubs they are seldom meant.
  func withoutCommands(_ inputs: [ImportInput]) -> [ImportInput] {
    let commands = CurlFormat()
    let others = inputs.filter { !commands.recognizes($0) }
    guard !others.isEmpty, others.count < inputs.count else { return inputs }
    for input in inputs where commands.recognizes(input) {
      log.add(
        .ignored, .commands, file: input.file,
        "Commands beside files of other formats; name the file to import them")
    }
    return others
  }

  /// Why nothing of a folder can be imported.
  static func emptiness(
    of fileCount: Int, in name: String, after firstError: FormatError?
  ) -> FormatError {
    let count =
      fileCount == 1 ? "its only file is not" : "none of its \(fileCount) files is"
    let first = firstError.map { "; \($0.description)" } ?? ""
    return FormatError(
      file: name, message: "\(count) in a format that stubdb can import\(first)")
  }

  /// `shop.har`, `calls.sh` and `recording.har.yaml` without their endings.
  static func baseName(_ name: String) -> String {
    var name = name
    for ending in [
      ".zip", ".yaml", ".yml", ".json", ".har", ".gz", ".tail", ".txt", ".http", ".sh", ".cmd",
      ".bat", ".curl",
    ] where name.lowercased().hasSuffix(ending) && name.count > ending.count {
      name.removeLast(ending.count)
    }
    return name
  }
}
