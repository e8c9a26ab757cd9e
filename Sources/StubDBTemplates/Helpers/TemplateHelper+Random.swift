extension TemplateHelper {
  private static let bounds = ["lower", "upper"]

  /// The random functions, with WireMock's names and bounds.
  static let chances: [TemplateHelper] = [
    TemplateHelper("uuid", 0...0) { (_, environment) throws(Failure) in
      .text(RandomUUID.text(environment.random))
    },
    TemplateHelper("randomInt", 0...0, options: bounds) { (call, environment) throws(Failure) in
      .integer(try call.randomInteger(environment))
    },
    TemplateHelper("randomDecimal", 0...0, options: bounds) { (call, environment) throws(Failure) in
      .decimal(try call.randomDecimal(environment))
    },
    TemplateHelper(
      "randomValue", 0...0, options: ["length", "type", "uppercase"], trial: .options([])
    ) { (call, environment) throws(Failure) in
      .text(try call.randomValue(environment))
    },
    TemplateHelper("pickRandom", 1...many, options: ["count"]) {
      (call, environment) throws(Failure) in
      try call.pick(environment)
    },
  ]
}

extension TemplateHelperCall {
  private static let longestValue = 100_000
  private static let digits = Array("0123456789")
  private static let letters = Array("abcdefghijklmnopqrstuvwxyz")
  private static let symbols = Array("!#$%&()*+,-./:;<=>?@[]^_`{|}~")

  /// A random integer from 0 up to a bound, which is excluded.
  private static func below(
    _ bound: UInt64, _ environment: any TemplateEnvironment
  ) -> UInt64 {
    environment.random().multipliedFullWidth(by: bound).high
  }

  fileprivate func randomInteger(
    _ environment: any TemplateEnvironment
  ) throws(Failure) -> Int {
    let lower = try integer(option: "lower", default: Int(Int32.min))
    let upper = try integer(option: "upper", default: Int(Int32.max))
    guard lower < upper else {
      throw Failure(message: "no integer is at least \(lower) and less than \(upper)")
    }
    let width = UInt64(bitPattern: Int64(upper &- lower))
    return lower &+ Int(truncatingIfNeeded: Self.below(width, environment))
  }

  fileprivate func randomDecimal(
    _ environment: any TemplateEnvironment
  ) throws(Failure) -> Double {
    let bounds = ["lower": 0.0, "upper": 1.0]
    var values: [Double] = []
    for name in ["lower", "upper"] {
      guard let value = options[name].map(\.numericValue) ?? bounds[name] else {
        throw Failure(message: "\(name)=\(shown(options[name] ?? .null)) is not a number")
      }
      values.append(value)
    }
    guard values[0] < values[1], (values[1] - values[0]).isFinite else {
      throw Failure(message: "no number is at least \(values[0]) and less than \(values[1])")
    }
    let fraction = Double(environment.random() >> 11) * 0x1p-53
    return values[0] + fraction * (values[1] - values[0])
  }

  fileprivate func randomValue(
    _ environment: any TemplateEnvironment
  ) throws(Failure) -> String {
    let length = try integer(option: "length", default: 36)
    guard (0...Self.longestValue).contains(length) else {
      throw Failure(message: "the length must be from 0 to \(Self.longestValue), not \(length)")
    }
    let type = options["type"]?.plainText ?? "ALPHANUMERIC"
    let alphabet: [Character]
    switch type {
    case "UUID": return RandomUUID.text(environment.random)
    case "ALPHANUMERIC": alphabet = Self.letters + Self.digits
    case "ALPHABETIC": alphabet = Self.letters
    case "NUMERIC": alphabet = Self.digits
    case "HEXADECIMAL": alphabet = Self.digits + Self.letters.prefix(6)
    case "ALPHANUMERIC_AND_SYMBOLS": alphabet = Self.letters + Self.digits + Self.symbols
    default:
      throw Failure(
        message: "type=\(shown(.text(type))) is not one of ALPHANUMERIC, ALPHABETIC, NUMERIC, "
          + "HEXADECIMAL, ALPHANUMERIC_AND_SYMBOLS and UUID")
    }
    var text = ""
    for _ in 0..<length {
      text.append(alphabet[Int(Self.below(UInt64(alphabet.count), environment))])
    }
    return flag("uppercase") ? text.uppercased() : text
  }

  /// One of the arguments, or one of the elements if the only argument is a list; with `count=`, a list of that many
  /// different ones.
  fileprivate func pick(
    _ environment: any TemplateEnvironment
  ) throws(Failure) -> TemplateValue {
    var choice = arguments
    if choice.count == 1, case .list(let elements) = choice[0] { choice = elements }
    let isList = options["count"] != nil
    let count = min(choice.count, try integer(option: "count", default: 1))
    guard count >= 0 else { throw Failure(message: "count=\(count) is less than 0") }
    for place in 0..<count {
      let other = place + Int(Self.below(UInt64(choice.count - place), environment))
      choice.swapAt(place, other)
    }
    return isList ? .list(Array(choice.prefix(count))) : choice.first ?? .null
  }
}

/// Makes UUIDs of random numbers.
package enum RandomUUID {
  /// A version 4 UUID. https://www.rfc-editor.org/rfc/rfc9562#section-5.4
  package static func text(_ random: () -> UInt64) -> String {
    let high = random() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let low = random() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    let text = [high, low].map { number in
      let hex = String(number, radix: 16)
      return String(repeating: "0", count: 16 - hex.count) + hex
    }.joined()
    var result = ""
    for (index, character) in text.enumerated() {
      if [8, 12, 16, 20].contains(index) { result.append("-") }
      result.append(character)
    }
    return result
  }
}
