import Foundation
import StubDBJSON
package import StubDBPlayback

extension LedgerLine {
  /// Reads a line without its line break; nil if it is not one of this version, such as the last line of a process that
  /// was killed while it wrote.
  package init?(_ line: some Collection<UInt8>) {
    guard case .object(let members)? = try? JSONValue(parsing: Data(line)),
      members["ledger"] == .number(JSONNumber(Self.version)),
      case .string(let process)? = members["process"]
    else { return nil }
    if case .string(let time)? = members["began"] {
      self = .began(process: process, at: time)
    } else if members["ended"] == .bool(true) {
      self = .ended(process: process)
    } else if let entry = LedgerEntry(process: process, members) {
      self = .run(entry)
    } else {
      return nil
    }
  }
}

extension LedgerEntry {
  fileprivate init?(process: String, _ members: JSONObject) {
    guard case .string(let catalog)? = members["catalog"],
      case .string(let scenario)? = members["scenario"],
      case .object(let used)? = members["used"]
    else { return nil }
    self.init(
      process: process, catalog: catalog, digest: Self.text(members["digest"]), scenario: scenario,
      overlays: Self.texts(members["overlays"]), test: Self.text(members["test"]),
      used: used.sorted { $0.key < $1.key }.map {
        Use(scenario: $0.key, keys: Self.texts($0.value))
      })
    resolved = Self.text(members["resolved"])
    // What a later version writes may depend on anything.
    demands = Self.texts(members["demands"]).map { Demand(rawValue: $0) ?? .allStubs }
  }

  private static func text(_ value: JSONValue?) -> String? {
    guard case .string(let text)? = value else { return nil }
    return text
  }

  private static func texts(_ value: JSONValue?) -> [String] {
    guard case .array(let elements)? = value else { return [] }
    return elements.compactMap(text)
  }
}
