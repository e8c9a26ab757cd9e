#if Server
import StubDBJSON

/// The ids of a server's sessions.
///
/// With several servers behind one address, an id begins with the name of the server that made it, so that whoever
/// stands before them finds it: `NAME-k3f9x2m7qa`. An id can be a part of a host.
package struct SessionIDs: Sendable {
  /// The number of random characters.
  static let length = 10
  /// So that an id is at most 63 characters, as a label of a host.
  private static let longestName = 40

  /// The name of this server among several; nil for a single server.
  let replica: String?

  /// An id that is not guessed by accident.
  func next() -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
    var generator = SystemRandomNumberGenerator()
    let text = (0..<Self.length).map { _ in
      letters[Int.random(in: 0..<letters.count, using: &generator)]
    }
    return (replica.map { "\($0)-" } ?? "") + String(text)
  }

  /// Whether a text can be an id of this server, or of one that it has beside it.
  func canBe(_ text: some StringProtocol) -> Bool {
    guard text.utf8.count > Self.length else {
      return text.utf8.count == Self.length && text.utf8.allSatisfy(Self.isPlain)
    }
    return replica != nil && Self.replica(of: text) != nil
  }

  /// The name in an id, or nil.
  static func replica(of id: some StringProtocol) -> String? {
    let name = String(id.dropLast(length + 1))
    guard isName(name), let dash = id.utf8.dropLast(length).last, dash == UInt8(ascii: "-"),
      id.utf8.suffix(length).allSatisfy(isPlain)
    else { return nil }
    return name
  }

  /// Whether a text can be the name of a server among several: a part of a host, in lower case.
  package static func isName(_ text: String) -> Bool {
    (1...longestName).contains(text.utf8.count)
      && text.utf8.allSatisfy { isPlain($0) || $0 == UInt8(ascii: "-") }
      && !text.hasPrefix("-") && !text.hasSuffix("-")
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
  }

  /// What a request for a session gets that this server has not got.
  func problem(of id: String) -> AdminProblem {
    guard let replica else {
      return AdminProblem(
        404, "no-such-session", "No such session",
        "There is no session \"\(id)\"; it was ended, or was idle for an hour.")
    }
    if let other = Self.replica(of: id), other != replica {
      return AdminProblem(
        404, "other-replica", "A session of another replica",
        "The session \"\(id)\" is one of the replica \"\(other)\", and this is \"\(replica)\"; what "
          + "stands before them must send the requests of a session to its replica.",
        ["replica": .string(replica)])
    }
    return AdminProblem(
      404, "no-such-session", "No such session",
      "The replica \"\(replica)\" has no session \"\(id)\"; it was ended, was idle for an hour, or the "
        + "replica has started again since. Make a new one with POST /__stubdb/sessions.",
      ["replica": .string(replica)])
  }
}
#endif
