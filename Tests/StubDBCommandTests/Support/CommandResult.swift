/// The output and the exit code of a run of the command.
struct CommandResult: Equatable, CustomStringConvertible {
  var out = ""
  var err = ""
  var code: Int32 = 0

  var description: String { "\n[code \(code)]\n[out]\n\(out)[err]\n\(err)" }
}
