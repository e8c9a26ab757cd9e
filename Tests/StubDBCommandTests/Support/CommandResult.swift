/// What a run of the command left behind.
struct CommandResult: Equatable, CustomStringConvertible {
  var out = ""
  var err = ""
  var code: Int32 = 0

  var description: String { "\n[code \(code)]\n[out]\n\(out)[err]\n\(err)" }
}
