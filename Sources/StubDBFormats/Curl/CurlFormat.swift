internal import Foundation

/// Commands of curl, as browsers copy them and documentation shows them, one or many in a script.
///
/// A command says what is asked for and not what is answered, so its stub answers 200 without content. Nothing is
/// executed, and no file is read that is not allowed. https://curl.se/docs/manpage.html
struct CurlFormat: ImportFormat {
  let name = "curl"
  let summary = "curl commands"
  let ownOptions: Set<ImportOption> = [
    .matchHeaders, .ignoreQuery, .exact, .variables, .allowFiles,
  ]

  func variables(of input: ImportInput) -> Set<String> {
    let text = String(decoding: input.bytes, as: UTF8.self)
    return Set(
      text.matches(of: #/\$\{?(\w+)|%(\w+)%/#).compactMap { ($0.1 ?? $0.2).map(String.init) })
  }

  func recognizes(_ input: ImportInput) -> Bool {
    guard case .text(let text) = input.content else { return false }
    if PowerShell.recognizes(text) { return true }
    for line in text.firstLines.prefix(200) {
      let words = Self.command(of: line)
      guard let first = words.first else { continue }
      if CurlCommand.arguments(words) != nil
        || line.contains(#/([|;&({`]|\b(do|then|else|if|while|until))\s*curl\s/#)
      {
        return true
      }
      guard Self.settings.contains(first) || Self.isAssignment(first) else { return false }
    }
    return false
  }

  /// What scripts begin with.
  private static let settings: Set<String> = [
    "set", "export", "cd", "echo", "@echo", "rem", "REM", "setlocal", "chcp", "local", "readonly",
    "cat", "printf", "source", ".", "sleep", "test", "[", "[[", "function",
    "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "}",
  ]

  /// The words of a line without a comment and without a prompt, cut at spaces.
  private static func command(of line: Substring) -> [String] {
    var words = line.split(separator: " ").map(String.init)
    if let first = words.first, ["$", ">", "%"].contains(first) { words.removeFirst() }
    return words.first?.hasPrefix("#") ?? true ? [] : words
  }

  private static func isAssignment(_ word: String) -> Bool {
    word.range(of: #"^[A-Za-z_]\w*="#, options: .regularExpression) != nil
  }

  func read(_ input: ImportInput, options: ImportOptions) throws(FormatError) -> ImportedContent {
    guard case .text(let text) = input.content else {
      throw FormatError(
        file: input.file, message: "this is no text with curl commands", isUsage: true)
    }
    guard !PowerShell.recognizes(text) else {
      throw FormatError(file: input.file, line: 1, message: ShellWords.powerShell.message)
    }
    do {
      let reader = CurlScriptReader(input: input, options: options)
      let stubs = try reader.stubs(of: text)
      return .scenarios([ImportedScenario(name: input.path, stubs: stubs)])
    } catch let error as FormatError {
      throw error
    } catch let error as CurlError {
      throw FormatError(file: input.file, line: error.line, message: error.message)
    } catch {
      throw FormatError(file: input.file, message: "\(error)")
    }
  }
}
