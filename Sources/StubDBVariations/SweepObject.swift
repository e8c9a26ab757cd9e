import Foundation
import StubDBJSON

/// The JSON object of a line of a sweep file, by whatever it is about.
struct SweepObject {
  private let members: JSONObject
  /// When it was written, in seconds since 1970.
  let time: Double

  /// Reads a line without its line break; nil if it is not one of this version, such as the last one of a process that
  /// was killed while it wrote.
  init?(_ line: some Collection<UInt8>) {
    guard case .object(let members)? = try? JSONValue(parsing: Data(line)),
      members["sweep"] == .number(JSONNumber(SweepLine.version)),
      case .number(let time)? = members["time"]
    else { return nil }
    (self.members, self.time) = (members, time.doubleValue)
  }

  /// The text of a member; nil if it is missing or something else.
  func text(_ name: String) -> String? {
    if case .string(let text)? = members[name] { text } else { nil }
  }

  /// The line with its line break; texts that are nil are left out.
  static func line(_ time: Double, _ texts: [(String, String?)]) -> String {
    var members: [(String, JSONValue)] = [
      ("sweep", .number(JSONNumber(SweepLine.version))), ("time", .init(floatLiteral: time)),
    ]
    members += texts.compactMap { name, text in text.map { (name, .string($0)) } }
    var writer = JSONWriter(indent: nil)
    writer.writeMembers(members, depth: 0)
    return writer.text + "\n"
  }
}
