package import Foundation
internal import StubDBSupport

/// A text for people in which files and commands are values.
///
/// The command line shows a file by its path from the current folder, and a command so that it works where it is typed;
/// another front end may show both otherwise.
package struct JobText: Hashable, Sendable, ExpressibleByStringInterpolation {
  package enum Part: Hashable, Sendable {
    case text(String)
    /// A text from a file, a store or another program, on one line.
    case line(String)
    /// The same, with its line ends.
    case lines(String)
    case quoted(String)
    case file(URL)
    /// Words of `stubdb`, the last of which may be a file, for a catalog that may have to be named.
    case command([String], file: URL?, catalog: URL?)
    /// Words of another program, the last of which is a file.
    case shell([String], file: URL)
    /// Words of git, the last of which may be a file.
    case git([String], file: URL?)
    /// The command that is running, with more options and without some: `purpose` is what a new run is for.
    case again(purpose: String, adding: [String], leavingOut: Set<String>)
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) {
      if !literal.isEmpty { parts.append(.text(literal)) }
    }

    package mutating func appendInterpolation(_ text: JobText) { parts += text.parts }

    package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      parts.append(.line(value.description))
    }

    package mutating func appendInterpolation(lines text: String) { parts.append(.lines(text)) }

    package mutating func appendInterpolation(quoted text: String) { parts.append(.quoted(text)) }

    /// Bytes that are not text: ASCII as is, others as `\xFF`.
    package mutating func appendInterpolation(bytes: some Sequence<UInt8>) {
      let texts = bytes.map { byte in
        (0x20..<0x7F).contains(byte)
          ? String(UnicodeScalar(byte)) : "\\x" + String(byte, radix: 16, uppercase: true)
      }
      parts.append(.text(texts.joined()))
    }

    package mutating func appendInterpolation(file: URL) { parts.append(.file(file)) }

    package mutating func appendInterpolation(
      command words: [String], file: URL? = nil, catalog: URL? = nil
    ) {
      parts.append(.command(words, file: file, catalog: catalog))
    }

    /// A command on names and keys, which may begin with `-`.
    package mutating func appendInterpolation(
      command name: String, on arguments: [String], _ options: [String] = [], catalog: URL? = nil
    ) {
      let words = [name] + CommandWords.arranged(arguments, options)
      parts.append(.command(words, file: nil, catalog: catalog))
    }

    package mutating func appendInterpolation(shell word: String, file: URL) {
      parts.append(.shell([word], file: file))
    }

    package mutating func appendInterpolation(git words: String..., file: URL? = nil) {
      parts.append(.git(words, file: file))
    }

    package mutating func appendInterpolation(
      again purpose: String, adding options: String..., leavingOut names: Set<String> = []
    ) {
      parts.append(.again(purpose: purpose, adding: options, leavingOut: names))
    }
  }

  package private(set) var parts: [Part]

  package init(stringLiteral value: String) { parts = [.text(value)] }

  package init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }
}

extension JobText: CustomStringConvertible {
  /// The text for whom no front end shows it: absolute paths, and commands without what the place of a user adds to them.
  package var description: String {
    parts.map { part in
      switch part {
      case .text(let text), .line(let text), .lines(let text): text
      case .quoted(let text): "\"\(text)\""
      case .file(let url): url.path
      case .command(let words, let file, _): Self.command(["stubdb"] + words, file)
      case .shell(let words, let file): Self.command(words, file)
      case .git(let words, let file): Self.command(["git"] + words, file)
      case .again(let purpose, let options, _):
        "\(purpose): \(options.joined(separator: " "))"
      }
    }.joined()
  }

  private static func command(_ words: [String], _ file: URL?) -> String {
    (words + [file?.path].compactMap(\.self)).joined(separator: " ")
  }
}
