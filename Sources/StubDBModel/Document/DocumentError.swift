public import Foundation
public import StubDBJSON

/// Why a document cannot be read, and where.
public struct DocumentError: Error, Hashable, Sendable {
  /// What kind of thing is wrong; more kinds may come.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The kind as a word.
    public let rawValue: String

    /// Makes a kind from its word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The text is not JSON.
    public static let syntax = Code(rawValue: "syntax")
    /// A key that the document does not have at this place.
    public static let unknownKey = Code(rawValue: "unknownKey")
    /// A key that must be given is not.
    public static let missingKey = Code(rawValue: "missingKey")
    /// A value of the wrong JSON type.
    public static let wrongType = Code(rawValue: "wrongType")
    /// A value of the right type that is not allowed.
    public static let invalidValue = Code(rawValue: "invalidValue")
    /// Two keys that do not go together.
    public static let conflict = Code(rawValue: "conflict")
    /// Something that must be unique is given twice.
    public static let duplicate = Code(rawValue: "duplicate")
    /// A file that the document names cannot be read.
    public static let unreadableFile = Code(rawValue: "unreadableFile")
  }

  /// What kind of thing is wrong.
  public var code: Code
  /// The file as the caller named it; nil where there is none.
  public var file: String?
  /// The place of the value that is wrong; empty for the whole document.
  public var pointer: JSONPointer
  /// The line that the value begins on, from 1; nil where it is not known.
  public var line: Int?
  /// The column in bytes, from 1; given only for text that is not JSON.
  public var column: Int?
  /// What is wrong with what, and what to do, without the place; no period at its end.
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
  public var description: String {
    var place = file ?? ""
    if let line {
      place += place.isEmpty ? "line \(line)" : ":\(line)"
      if let column { place += ":\(column)" }
    }
    let text = [place, pointer.description, message].filter { !$0.isEmpty }.joined(separator: ": ")
    // A key or a value of the document may hold what would break the line or drive a terminal.
    return text.unicodeScalars.reduce(into: "") { line, scalar in
      line +=
        scalar.properties.generalCategory == .control
        ? scalar.escaped(asASCII: true) : String(scalar)
    }
  }

  /// The same sentence as ``description``.
  public var errorDescription: String? { description }
}
