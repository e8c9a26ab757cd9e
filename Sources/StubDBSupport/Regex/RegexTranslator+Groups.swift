extension RegexTranslator {
  /// The kind of an open group.
  struct Group {
    var offset: Int
    var flags: Flags
    var isLookBehind: Bool
  }

  mutating func openGroup(at start: Int) throws(RegexSyntaxError) {
    let outer = flags
    var isLookBehind = false
    guard take("?") else {
      groupCount += 1
      output += "("
      return push(Group(offset: start, flags: outer, isLookBehind: false))
    }
    if let sign = ["<=", "<!", "=", "!", ":", ">"].first(where: isNext) {
      place += sign.unicodeScalars.count
      isLookBehind = sign.hasPrefix("<")
      output += "(?" + sign
    } else if take("<") {
      output += try "(?<" + groupName() + ">"
      groupCount += 1
    } else if isNext("P") {
      throw failure("a group that Java does not know; write (?<name>…)", at: start)
    } else {
      guard try takeFlags(at: start) else {
        isRepeatable = false
        return
      }
    }
    push(Group(offset: start, flags: outer, isLookBehind: isLookBehind))
  }

  private mutating func push(_ group: Group) {
    groups.append(group)
    if group.isLookBehind { openLookBehinds += 1 }
    isRepeatable = false
  }

  mutating func closeGroup(at start: Int) throws(RegexSyntaxError) {
    guard let group = groups.popLast() else {
      throw failure("a ')' that closes nothing", at: start)
    }
    if group.isLookBehind { openLookBehinds -= 1 }
    flags = group.flags
    output += ")"
    isRepeatable = true
  }

  mutating func groupName() throws(RegexSyntaxError) -> String {
    let start = place
    while let scalar = peek(), scalar.isASCII,
      scalar.properties.isAlphabetic || Self.isDigit(scalar)
    {
      place += 1
    }
    let name = text(start..<place)
    guard let first = name.unicodeScalars.first, !Self.isDigit(first), take(">") else {
      throw failure("a name of a group is of letters and digits, between < and >", at: start)
    }
    return name
  }

  /// Flags as in `(?i)` or `(?i-s:`; returns whether a group follows.
  private mutating func takeFlags(at start: Int) throws(RegexSyntaxError) -> Bool {
    var isOn = true
    var multiline: Bool?
    while let scalar = peek() {
      place += 1
      switch scalar {
      case "-" where isOn: isOn = false
      case "i": flags.ignoresCase = isOn
      case "u": flags.isUnicodeCase = isOn
      case "U":
        flags.isUnicode = isOn
        flags.isUnicodeCase = isOn
      case "x": flags.allowsComments = isOn
      case "s": flags.dotMatchesAll = isOn
      case "d": flags.hasUnixLines = isOn
      case "m": multiline = isOn
      case ")", ":":
        let sign = multiline.map { $0 ? "m" : "-m" } ?? ""
        output += scalar == ":" ? "(?\(sign):" : sign.isEmpty ? "" : "(?\(sign))"
        return scalar == ":"
      default:
        throw failure("a group that does not exist; its first sign is '?\(scalar)'", at: start)
      }
    }
    throw failure("a '(' that is not closed", at: start)
  }
}
