import StubDBEditing
import StubDBJobs
import StubDBModel

/// A port and a scenario as an argument: `8081=checkout/paid`.
struct PortArgument {
  var port: Int
  var scenario: ScenarioName

  /// Parses an argument.
  ///
  /// - Throws: ``ArgumentError`` for anything else.
  init(_ text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, let port = Int(parts[0]), (0...65_535).contains(port) else {
      throw ArgumentError("write it as 8081=checkout/paid")
    }
    self.port = port
    scenario = try ScenarioName.argument(String(parts[1]))
  }
}

/// What unmatched requests get, as an argument: a status, or `passthrough`.
enum UnmatchedArgument: Equatable {
  case status(Int)
  case passthrough

  /// Parses an argument.
  ///
  /// - Throws: ``ArgumentError`` for anything else.
  init(_ text: String) throws {
    if text == "passthrough" {
      self = .passthrough
    } else if let status = Int(text), (200...599).contains(status) {
      self = .status(status)
    } else {
      throw ArgumentError("it is a status from 200 to 599, or passthrough")
    }
  }
}

extension Int {
  /// Parses a number of bytes: `65536`, `64KiB` or `64MiB`.
  ///
  /// - Throws: ``ArgumentError`` for anything but a number and a unit.
  static func byteCount(_ text: String) throws -> Int {
    let units = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1), ("", 1)]
    guard let (unit, size) = units.first(where: { text.hasSuffix($0.0) }),
      let count = Int(text.dropLast(unit.count)), count >= 0, count <= Int.max / size
    else { throw ArgumentError("write it as 65536, 64KiB, 64MiB or 1GiB") }
    return count * size
  }
}

extension Duration {
  /// Parses a time, written as in documents: `500ms`, `10s`.
  ///
  /// - Throws: ``ArgumentError`` for anything but a time.
  static func argument(_ text: String) throws -> Duration {
    guard let duration = DurationText.parse(text) else {
      throw ArgumentError("write it as 500ms, 10s or 1m")
    }
    guard duration > .zero else {
      throw ArgumentError("it must be longer than nothing, such as 10s")
    }
    return duration
  }
}
