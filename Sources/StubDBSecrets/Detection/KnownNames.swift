/// What names hint at, remembered: a catalog has few names, each many times.
struct KnownNames {
  /// More names than this are of no use to remember.
  private static let most = 10_000

  private var hints: [[UInt8]: Bool] = [:]
  private var lastName: [UInt8] = []
  private var lastHint = false

  /// Whether a value of the name may be a secret.
  mutating func isHint(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    if lastName.elementsEqual(name) { return lastHint }
    let key = Array(name)
    let hint: Bool
    if let known = hints[key] {
      hint = known
    } else {
      hint = FieldHint(name: key) != .none
      if hints.count >= Self.most { hints = [:] }
      hints[key] = hint
    }
    (lastName, lastHint) = (key, hint)
    return hint
  }

  mutating func isHint(_ name: String) -> Bool {
    var name = name
    return name.withUTF8 { isHint($0) }
  }
}
