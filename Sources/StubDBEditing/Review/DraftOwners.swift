internal import Foundation
internal import StubDBFormats
internal import StubDBJSON
internal import StubDBModel
internal import StubDBRecording
internal import StubDBSecrets

/// Tells what of the secrets in a draft is the client's own, for each process, whose runs have the same placeholders.
struct DraftOwners {
  /// The placeholders of a line, in the order in which the answers came.
  private struct Line {
    let run: Int
    let order: Int
    let sent: Set<String>
    let given: Set<String>
  }

  private var lines: [String: [Line]] = [:]

  /// Notes an exchange of a draft in a folder; what is about a stub and not asked for by a test does not count.
  package mutating func add(_ exchange: DraftExchange, in folder: URL) {
    guard exchange.stubKey == nil,
      let stub = DraftContents.restored(exchange, from: folder)?.stub
    else { return }
    let (sent, given) = (
      Self.placeholders(in: stub, at: "request"), Self.placeholders(in: stub, at: "responses")
    )
    guard !sent.isEmpty || !given.isEmpty else { return }
    lines[exchange.process, default: []].append(
      Line(run: exchange.run, order: exchange.order, sent: sent, given: given))
  }

  /// The placeholders of what the client had before an answer gave it, by process.
  package var own: [String: Set<String>] {
    lines.mapValues { lines in
      var owners = SecretOwners()
      // The requests of a run up to the one that is answered have all been sent.
      var waiting = Dictionary(grouping: lines, by: \.run).mapValues {
        $0.sorted { $0.order > $1.order }
      }
      for line in lines {
        while let next = waiting[line.run]?.last, next.order <= line.order {
          owners.send(next.sent)
          waiting[line.run]?.removeLast()
        }
        owners.give(line.given)
      }
      return owners.own
    }
  }

  private static func placeholders(in stub: JSONValue, at member: String) -> Set<String> {
    stub.value(at: JSONPointer([member])).map(RedactionPlaceholders.all(in:)) ?? []
  }
}
