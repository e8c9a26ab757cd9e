public import Foundation
public import StubDBJSON

/// An error in a document, with its place.
public struct DocumentError: Error, Hashable, Sendable {
  /// The kind of error; later versions may add kinds.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The kind as a word.
    public let rawValue: String

    /// Makes a kind from its word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The text is not JSON.
    public static let syntax = Code(rawValue: "syntax")
    /// A key that is not allowed at this place.
    public static let unknownKey = Code(rawValue: "unknownKey")
    /// A required key is missing.
    public static let missingKey = Code(rawValue: "missingKey")
    /// A value of the wrong JSON type.
    public static let wrongType = Code(rawValue: "wrongType")
    /// A value of the right type that is not valid.
    public static let invalidValue = Code(rawValue: "invalidValue")
    /// Two keys that cannot be combined.
    public static let conflict = Code(rawValue: "conflict")
    /// Something that must be unique occurs twice.
    public static let duplicate = Code(rawValue: "duplicate")
    /// A file that the document names cannot be read.
    public static let unreadableFile = Code(rawValue: "unreadableFile")
  }

  /// The kind of error.
  public var code: Code
  /// The file as the caller named it; nil without a file.
  public var file: String?
  /// The place of the invalid value; empty for the whole document.
  public var pointer: JSONPointer
  /// The line where the value begins, from 1; nil if it is not known.
  public var line: Int?
  /// The column in bytes, from 1; only for text that is not JSON.
  public var column: Int?
  /// What is wrong and what to do, without the place and without a period.
  public var message: String

  /// Makes an error.
  public init(
    _ code: Code, file: String? = nil, pointer: JSONPointer = JSONPointer(), line: Int? = nil,
    column: Int? = nil, message: String
  ) {
    self.code = code
    self.file = file
    self.pointer = pointer
    self.line = line
    self.column = column
    self.message = message
  }
}

extension DocumentError: CustomStringConvertible, LocalizedError {
  /// One sentence with its place: `shop.json:7: /stubs/0/request/methd: unknown key "methd"; …`.
  ///
  /// A pointer of more than 32 tokens is shown without its middle; ``pointer`` has all of it.
  public var description: String {
    var place = file ?? ""
    if let line {
      place += place.isEmpty ? "line \(line)" : ":\(line)"
      if let column { place += ":\(column)" }
    }
    let text = [place, pointer.shortened, message].filter { !$0.isEmpty }.joined(separator: ": ")
    // A key or a value of the document may contain line breaks or escape sequences of terminals.
    return text.unicodeScalars.reduce(into: "") { line, scalar in
      line +=
        scalar.properties.generalCategory == .control
        ? scalar.escaped(asASCII: true) : String(scalar)
    }
  }

  /// The same sentence as ``description``.
  public var errorDescription: String? { description }
}
