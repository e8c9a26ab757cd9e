import ArgumentParser
import StubDBDocuments
import StubDBGit
import StubDBJSON
import StubDBJobs

struct GitStatus: CommonCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show whether this clone is set up; exits with 2 if it is not.",
    discussion: """
      Example:
        stubdb git status
      """)

  @Flag(help: "Print {attributes, textconv, mergeDriver, hook, isCurrent}.")
  var json = false

  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  func run() throws {
    let setup = try GitSetup.ofThisProgram()
    let hasAttribute = try setup.hasAttribute()
    let textconv = try setup.value(of: "diff.stubdb.textconv")
    let driver = try setup.value(of: "merge.stubdb.driver")
    let hook = try PreCommitHook(repository: setup.repository).status()
    let isCurrent =
      try hasAttribute
      && setup.settings.allSatisfy { try setup.value(of: $0.key) == $0.value }
    if json {
      try Console.write(
        OrderedJSON.object([
          ("attributes", .json(.bool(hasAttribute))), ("textconv", .string(textconv)),
          ("mergeDriver", .string(driver)), ("hook", .string(hook)),
          ("isCurrent", .json(.bool(isCurrent))),
        ]).text)
    } else {
      let none = "not set up"
      try Console.line(
        "attributes    \(hasAttribute ? GitSetup.attribute : none)\n"
          + "textconv      \(TerminalText.line(textconv ?? none))\n"
          + "merge driver  \(TerminalText.line(driver ?? none))"
          + (hook.map { "\nhook          \(TerminalText.line($0))" } ?? ""))
    }
    if isCurrent { return }
    if !json {
      Console.note(
        textconv != nil && driver != nil && hasAttribute
          ? "This clone calls another stubdb than \(setup.program)."
          : "This clone is not set up.")
      Console.note("To set it up: \(FollowUp.program) git install")
    }
    throw ExitCode(2)
  }
}
