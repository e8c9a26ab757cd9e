import Foundation
import StubDBTestSupport
import Testing

/// `stubdb push` to stores that refuse, forget or tear what is written: it says that it has pushed only if others can pull
/// it, and whatever it says, what was published before can be pulled.
@Suite(.serialized)
struct RemoteFaultTests {
  private static let url = "s3://stubs/team/shop"

  private func run(
    _ words: String..., in box: Sandbox, _ server: BucketServer
  ) throws -> CommandResult {
    try box.run(executable: Sandbox.binary, arguments: words, environment: server.environment)
  }

  private func project() throws -> Sandbox {
    let box = try Sandbox()
    try box.must("init", "shop.stubdb")
    try add("checkout/paid", in: box)
    return box
  }

  private func add(_ scenario: String, in box: Sandbox) throws {
    try box.must("add", scenario, "--url", "https://api.shop.test/\(scenario)", "--text", "a")
  }

  private func bytes(_ box: Sandbox) throws -> Data {
    try Data(contentsOf: box.folder.appendingPathComponent("shop.stubdb"))
  }

  /// What another machine pulls; nil if it cannot.
  private func pulled(_ server: BucketServer) throws -> Data? {
    let box = try Sandbox()
    let result = try run("pull", Self.url, "--path", "shop.stubdb", in: box, server)
    return result.code == 0 ? try bytes(box) : nil
  }

  struct Row: CustomTestStringConvertible, Sendable {
    let faults: [BucketServer.Fault]
    /// What an unsuccessful push says; nil if it is successful.
    let message: String?
    var testDescription: String { "\(faults)" }
  }

  private static let rows = [
    Row(faults: [.contends(1)], message: nil),
    Row(faults: [.contends(10)], message: "the store was busy with other writes of"),
    Row(faults: [.refuses(1)], message: nil),
    Row(faults: [.refuses(9)], message: "does not have it, or not all of it"),
    Row(faults: [.forgets(".stubdb")], message: "does not have it, or not all of it"),
    Row(faults: [.tears(".stubdb")], message: "does not have it, or not all of it"),
    Row(faults: [.hasNoHead], message: nil),
    Row(faults: [.forgets(".json")], message: "does not have it, or not all of it"),
    Row(faults: [.tears(".json")], message: "does not have it, or not all of it"),
    Row(faults: [.forgets("/shop.json")], message: nil),
    Row(faults: [.forgets("/shop.json", times: 9)], message: "does not have it, or not all of it"),
    Row(faults: [.tears("/shop.json")], message: nil),
  ]

  @Test(arguments: rows)
  func aPushIsReportedOnlyWhenItIsThere(row: Row) throws {
    let server = try BucketServer()
    for fault in row.faults { server.begin(fault) }
    let box = try project()
    let push = try run("push", Self.url, in: box, server)
    if let message = row.message {
      #expect(push.code == 1 && push.err.contains(message), "\(push)")
      #expect(push.err.contains("nothing was p"), "\(push)")
      #expect(!server.paths.contains("/stubs/team/shop.json"))
      #expect(try !box.contents().contains { $0.path == "stubdb.lock" })
      server.mend()
      let again = try run("push", Self.url, in: box, server)
      #expect(again.code == 0, "\(again)")
    } else {
      #expect(push.code == 0, "\(push)")
    }
    #expect(try pulled(server) == bytes(box))
  }

  @Test func aPointerThatIsNotReplacedIsNoPush() throws {
    let (server, box) = (try BucketServer(), try project())
    #expect(try run("push", Self.url, in: box, server).code == 0)
    let (before, lock) = (server.pointer, try box.read("stubdb.lock"))
    let published = try bytes(box)
    try add("orders/open", in: box)
    server.begin(.forgets("/shop.json", times: 9))
    let push = try run("push", in: box, server)
    #expect(push.code == 1 && push.err.contains("does not have it, or not all of it"), "\(push)")
    #expect(server.pointer == before)
    #expect(try box.read("stubdb.lock") == lock && pulled(server) == published)
    server.mend()
    #expect(try run("push", in: box, server).code == 0)
    #expect(try pulled(server) == bytes(box))
  }

  @Test func halfAPointerIsSaidWithAWayOut() throws {
    let (server, box) = (try BucketServer(.tears("/shop.json", times: 2)), try project())
    let push = try run("push", Self.url, in: box, server)
    #expect(push.code == 1, "\(push)")
    #expect(push.err.contains("kept only a part of shop.json, twice, so that nobody"), "\(push)")
    #expect(push.err.contains("remove shop.json from the store"), "\(push)")
    #expect(try !box.contents().contains { $0.path == "stubdb.lock" })
    server.remove("/stubs/team/shop.json")
    #expect(try run("push", Self.url, in: box, server).code == 0)
    #expect(try pulled(server) == bytes(box))
  }

  @Test(arguments: 1...6)
  func whateverAStoreDoesItsPointerLeadsToAWholeCatalog(seed: UInt64) throws {
    let server = try BucketServer(.isRandom(seed: seed))
    let box = try project()
    var published: Data?
    for number in 0..<3 {
      try add("orders/\(number)", in: box)
      let before = server.pointer
      let push = try run("push", Self.url, in: box, server)
      if push.code == 0 {
        published = try bytes(box)
      } else {
        #expect(server.pointer == before, "\(push)")
      }
      #expect(try pulled(server) == published, "\(push)")
    }
    server.mend()
    let push = try run("push", Self.url, in: box, server)
    #expect(push.code == 0, "\(push)")
    #expect(try pulled(server) == bytes(box))
  }

  @Test func aSignedPushIsReportedOnlyWithItsSignature() throws {
    let (server, box) = (try BucketServer(.forgets(".sig")), try project())
    try box.must("key", "create", "--name", "ada")
    let push = try run("push", Self.url, "--sign", in: box, server)
    #expect(push.code == 1 && push.err.contains("did not keep the signature"), "\(push)")
    #expect(!server.paths.contains("/stubs/team/shop.json"))
    // A push of another second has another commit, whose signature would be forgotten as well.
    server.mend()
    #expect(try run("push", Self.url, "--sign", in: box, server).code == 0)
    let reader = try Sandbox()
    let pull = try run("pull", Self.url, in: reader, server)
    #expect(pull.code == 0, "\(pull)")
    // Nobody asked for a signature, so that it is said that there is one, and how to require it.
    #expect(pull.err.contains("It is signed by "), "\(pull)")
    let command = try firstMatch(of: /require it: (stubdb key trust .*)\n/, in: pull.err).1
    let trust = try reader.shell(String(command), environment: server.environment)
    #expect(trust.code == 0, "\(trust)")
    #expect(try reader.read("stubdb.lock").contains("ssh-ed25519"))
  }
}
