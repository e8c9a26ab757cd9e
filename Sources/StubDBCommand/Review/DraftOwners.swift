import Foundation
import StubDBFormats
import StubDBJSON
import StubDBModel
import StubDBRecording

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
  mutating func add(_ exchange: DraftExchange, in folder: URL) {
    guard exchange.stubKey == nil,
      let stub = DraftContents.restored(exchange, from: folder)?.stub
    else { return }
    let (sent, given) = (
      Self.placeholders(in: stub.value(at: JSONPointer(["request"]))),
      Self.placeholders(in: stub.value(at: JSONPointer(["responses"])))
    )
    guard !sent.isEmpty || !given.isEmpty else { return }
    lines[exchange.process, default: []].append(
      Line(run: exchange.run, order: exchange.order, sent: sent, given: given))
  }

  /// The placeholders of what the client had before an answer gave it, by process.
  var own: [String: Set<String>] {
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

  private static func placeholders(in value: JSONValue?) -> Set<String> {
    switch value {
    case .string(let text): texts(text)
    case .number(let number): RedactionPlaceholders.all(in: number.text)
    case .array(let elements): elements.reduce(into: []) { $0.formUnion(placeholders(in: $1)) }
    case .object(let members):
      members.reduce(into: []) {
        $0.formUnion(RedactionPlaceholders.all(in: $1.key))
        $0.formUnion(placeholders(in: $1.value))
      }
    case .null, .bool, nil: []
    }
  }

  /// Those of a text, of credentials such as `Basic dXNlcjpwYXNzd29yZA==`, and of a content in base64.
  private static func texts(_ text: String) -> Set<String> {
    let found = RedactionPlaceholders.all(in: text)
    let word = text.lowercased().hasPrefix("basic ") ? String(text.dropFirst(6)) : text
    guard found.isEmpty, word.utf8.count >= 12, let bytes = Data(base64Encoded: word) else {
      return found
    }
    return RedactionPlaceholders.all(in: bytes)
  }
}
