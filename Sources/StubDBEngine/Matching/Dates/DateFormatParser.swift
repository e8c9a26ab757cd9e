/// Parses the letters of a date format.
struct DateFormatParser {
  private let characters: [Character]
  private var place = 0
  private var hasYear = false

  init(_ format: String) {
    characters = Array(format)
  }

  /// The elements of the whole format.
  ///
  /// - Throws: An error at the place `actualFormat`.
  mutating func elements() throws(CompileError) -> [DateFormatElement] {
    let elements = try elements(depth: 0)
    guard hasYear else { throw refusal("has no year, so that no text is a date") }
    return elements
  }

  private mutating func elements(depth: Int) throws(CompileError) -> [DateFormatElement] {
    var elements: [DateFormatElement] = []
    while place < characters.count {
      let character = characters[place]
      switch character {
      case "'": elements.append(.literal(try quoted()))
      case "[":
        guard depth < 8 else { throw refusal("nests optional parts too deep") }
        place += 1
        elements.append(.optional(try self.elements(depth: depth + 1)))
      case "]":
        guard depth > 0 else { throw refusal("closes a bracket that is not open") }
        place += 1
        return elements
      case _ where character.isASCII && character.isLetter:
        elements.append(try field(character))
      default:
        elements.append(.literal(String(character)))
        place += 1
      }
    }
    guard depth == 0 else { throw refusal("does not close a bracket") }
    return elements
  }

  /// Quoted text; two quotes stand for one.
  private mutating func quoted() throws(CompileError) -> String {
    var text = ""
    place += 1
    while place < characters.count {
      let character = characters[place]
      place += 1
      guard character == "'" else {
        text.append(character)
        continue
      }
      guard place < characters.count, characters[place] == "'" else {
        return text.isEmpty ? "'" : text
      }
      text.append("'")
      place += 1
    }
    throw refusal("does not close a quote")
  }

  private mutating func field(_ letter: Character) throws(CompileError) -> DateFormatElement {
    let start = place
    while place < characters.count, characters[place] == letter { place += 1 }
    let count = place - start
    let width = count == 1 ? 1...2 : count...count
    switch letter {
    case "y", "u":
      hasYear = true
      if count == 2 { return .number(.twoDigitYear, 2...2) }
      let isFollowedByDigits = place < characters.count && "MLdHkhKmsSn".contains(characters[place])
      return .number(.year, count == 1 ? 1...9 : isFollowedByDigits ? count...count : count...9)
    case "M" where count > 2, "L" where count > 2: return .month(isShort: count == 3)
    case "M", "L": return .number(.month, width)
    case "d": return .number(.day, width)
    case "H": return .number(.hour, width)
    case "k": return .number(.hourFrom1, width)
    case "K": return .number(.halfDayHour, width)
    case "h": return .number(.halfDayHourFrom1, width)
    case "m": return .number(.minute, width)
    case "s": return .number(.second, width)
    case "n": return .number(.nanosecond, 1...9)
    case "S" where count <= 9: return .fraction(count)
    case "E": return .weekday(isShort: count <= 3)
    case "a": return .halfDay
    case "X", "x", "Z", "O", "z", "V": return .zone
    default:
      throw refusal(
        "holds \"\(String(repeating: letter, count: count))\"; the letters are "
          + "y M d H h k K a m s S n E and X x Z z V; put others in quotes")
    }
  }

  private func refusal(_ problem: String) -> CompileError {
    CompileError(
      code: .invalidPattern,
      reason: "the format \(TextExcerpt.quoted(String(characters))) \(problem)",
      path: ["actualFormat"])
  }
}
