/// What git said when it did not do what it was asked to.
struct GitFailure: Error, CustomStringConvertible {
  /// The arguments it was given.
  let arguments: [String]
  /// What it wrote to standard error.
  let message: String

  var description: String {
    let command = (["git"] + arguments).map(ShellQuoting.quote).joined(separator: " ")
    return "\(Printable.line(command)) failed: \(Printable.lines(message))"
  }
}
