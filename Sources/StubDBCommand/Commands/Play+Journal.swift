import Foundation
import StubDBCatalog
import StubDBDocuments
import StubDBEditing
import StubDBEngine
import StubDBJSON
import StubDBJobs
import StubDBModel
import StubDBPlayback
import StubDBRecording
import StubDBServing
import StubDBTransfer

/// What a failed test has attached, played again.
extension RootCommand.Play {
  func playJournal(_ file: String) throws {
    let data = try read(file)
    let replay: JournalReplay
    do throws(JournalReplay.Failure) {
      replay = try JournalReplay(data)
    } catch {
      throw CommandError("\(file) \(error.reason)")
    }
    let name = try scenario ?? scenario(of: replay, file)
    let catalog = try catalog.openForReading()
    let options = try options(of: replay, for: catalog)
    let loaded = try catalog.loadExisting(
      name, overlays: options.overlays.compactMap { ScenarioName($0) })
    let player = Player(loaded, options: options)
    if !json { try showHead(replay, name, loaded) }
    var steps: [JournalReplay.Step] = []
    for entry in replay.entries {
      do throws(PlayedAnswer.Failure) {
        steps.append(try JournalReplay.step(entry, in: player))
      } catch {
        throw CommandError(error.message)
      }
      if !json, let step = steps.last {
        try show(step, number: steps.count, of: replay.entries.count, player.run)
      }
    }
    if json { try Console.write(OrderedJSON.array(steps.map(\.json)).text) }
    try finish(player, isAnswered: steps.allSatisfy(\.verdict.isAnswered))
  }

  private func scenario(of replay: JournalReplay, _ file: String) throws -> ScenarioName {
    guard let name = replay.head.scenario.flatMap(ScenarioName.init) else {
      throw CommandError(
        "\(file) is of a test without a scenario; name one: "
          + FollowUp.command(["play", "SCENARIO", "--journal", file]))
    }
    return name
  }

  /// Those of the test, unless the command says otherwise.
  private func options(
    of replay: JournalReplay, for catalog: Catalog
  ) throws -> PlaybackOptions {
    var options = try options(for: catalog)
    if overlays.overlay.isEmpty { options.overlays = replay.head.overlays }
    if overlays.seed == nil { options.seed = replay.head.seed }
    if overlays.today == nil, let today = replay.head.today.flatMap(PlaybackOptions.Today.init) {
      options.today = today
    }
    return options
  }

  private func showHead(
    _ replay: JournalReplay, _ name: ScenarioName, _ loaded: LoadedScenario
  ) throws {
    let head = replay.head
    let test = head.test.map { " of \(TerminalText.line($0))" } ?? ""
    let isUnchanged = head.digest != nil && head.digest == loaded.catalogDigest
    try Console.line(
      Style.output.bold("The journal\(test), with \(TerminalText.line(name.rawValue))")
        + (isUnchanged ? "; the catalog has not changed since" : ""))
    if replay.entries.isEmpty { Console.note("The test sent no requests.") }
    if head.omitted > 0 {
      Console.note(
        "The journal lacks the first \(head.omitted) requests of the test; sequences and flows begin without them."
      )
    }
  }

  private func show(
    _ step: JournalReplay.Step, number: Int, of count: Int, _ run: ScenarioRun
  ) throws {
    let request = step.entry.request.map { request in
      ": \(TerminalText.line("\(request.method) \(SecretDisplay.text(request.url))"))"
    }
    try Console.line("request \(number) of \(count) \(Self.text(step))\(request ?? "")")
    if let response = step.answer?.response {
      let view = ResponseView(response: response)
      for line in [view.headline] + view.details { try Console.line(Excerpt.line("   \(line)")) }
    }
    if !step.verdict.isAnswered, let event = step.answer?.event {
      try Self.show(FollowUp.report(on: event, of: run))
    }
  }

  /// The end of a sentence about the request.
  private static func text(_ step: JournalReplay.Step) -> String {
    let before = TerminalText.line(SecretDisplay.text(step.entry.stub?.key ?? ""))
    let now = TerminalText.line(SecretDisplay.text(step.answer?.event.stubKey ?? ""))
    let style = Style.output
    return switch step.verdict {
    case .same: "matches \(now), as before"
    case .now: style.green("now matches \(now)")
    case .other: style.green("now matches \(now)") + ", not \(before)"
    case .still: style.red("still matches nothing")
    case .lost: style.red("matches nothing") + ", and matched \(before)"
    case .undecided:
      "matched \(before), which cannot be decided without what was taken out of the request"
    case .closure: "was answered by a closure of the test"
    case .withheld:
      "is not in the journal: \(TerminalText.line(step.entry.withheld ?? "it was withheld"))"
    }
  }
}
