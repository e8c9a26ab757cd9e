import Foundation
import StubDBPublishing
import StubDBTestSupport
import Testing

/// A push to stores that refuse, forget or tear what is written: it has pushed only if others can pull it, and in any case
/// what was published before can be pulled.
struct PushFaultTests {
  private static let url = "s3://stubs/team/shop"

  private func desk(_ server: BucketServer, _ scenario: String? = "checkout/paid") throws -> Desk {
    try Desk(
      scenario, transport: BucketTransport(server: server), environment: server.environment)
  }

  /// What another machine pulls; nil if it cannot.
  private func pulled(_ server: BucketServer) throws -> Data? {
    let desk = try desk(server, nil)
    return try? desk.pull(Self.url, editing: true).hasConflicts ? nil : desk.bytes
  }

  struct Row: CustomTestStringConvertible, Sendable {
    let fault: BucketServer.Fault
    /// What the error of an unsuccessful push says; nil if it is successful.
    var message: String?
    var testDescription: String { "\(fault)" }

    init(_ fault: BucketServer.Fault, _ message: String? = nil) {
      (self.fault, self.message) = (fault, message)
    }
  }

  private static let lost = "does not have it, or not all of it"
  private static let rows = [
    Row(.contends(1)), Row(.contends(10), "the store was busy with other writes of"),
    Row(.refuses(1)), Row(.refuses(9), lost), Row(.forgets(".stubdb"), lost),
    Row(.tears(".stubdb"), lost), Row(.hasNoHead), Row(.forgets(".json"), lost),
    Row(.tears(".json"), lost), Row(.forgets("/shop.json")),
    Row(.forgets("/shop.json", times: 9), lost), Row(.tears("/shop.json")),
  ]

  @Test(arguments: rows)
  func aPushIsReportedOnlyWhenItIsThere(row: Row) throws {
    let server = try BucketServer(row.fault)
    let desk = try desk(server)
    let problem = Desk.problem { try desk.push(Self.url) }
    if let message = row.message {
      #expect(problem?.contains(message) == true && problem?.contains("nothing was p") == true)
      #expect(!server.paths.contains("/stubs/team/shop.json"))
      #expect(desk.lock == nil)
      server.mend()
      #expect(try desk.push(Self.url).commit != nil)
    } else {
      #expect(problem == nil)
    }
    #expect(try pulled(server) == desk.bytes)
  }

  @Test func aPointerThatIsNotReplacedIsNoPush() throws {
    let server = try BucketServer()
    let desk = try desk(server)
    try desk.push(Self.url)
    let (before, lock, published) = (server.pointer, desk.lock, try desk.bytes)
    try desk.add("orders/open")
    server.begin(.forgets("/shop.json", times: 9))
    #expect(Desk.problem { try desk.push() }?.contains(Self.lost) == true)
    #expect(server.pointer == before)
    #expect(try desk.lock == lock && pulled(server) == published)
    server.mend()
    #expect(try desk.push().commit != nil)
    #expect(try pulled(server) == desk.bytes)
  }

  @Test func halfAPointerIsSaidWithAWayOut() throws {
    let server = try BucketServer(.tears("/shop.json", times: 2))
    let desk = try desk(server)
    let problem = try #require(Desk.problem { try desk.push(Self.url) })
    #expect(problem.contains("kept only a part of shop.json, twice, so that "))
    #expect(problem.contains("remove shop.json from the store"))
    #expect(desk.lock == nil)
    server.remove("/stubs/team/shop.json")
    try desk.push(Self.url)
    #expect(try pulled(server) == desk.bytes)
  }

  @Test(arguments: 1...20)
  func whateverAStoreDoesItsPointerLeadsToAWholeCatalog(seed: UInt64) throws {
    let server = try BucketServer(.isRandom(seed: seed))
    let desk = try desk(server)
    var published: Data?
    for number in 0..<3 {
      try desk.add("orders/\(number)")
      let before = server.pointer
      if let problem = Desk.problem({ try desk.push(Self.url) }) {
        #expect(server.pointer == before, "\(problem)")
      } else {
        published = try desk.bytes
      }
      #expect(try pulled(server) == published)
    }
    server.mend()
    try desk.push(Self.url)
    #expect(try pulled(server) == desk.bytes)
  }

  @Test func aPushThatIsRefusedMergesAndTriesAgain() throws {
    let server = try BucketServer(.isBusy)
    let desk = try desk(server)
    try desk.push(Self.url)
    try desk.add("orders/open")
    #expect(try desk.push().commit != nil)
    #expect(server.writes(of: "/stubs/team/shop.json") == 2)
  }

  @Test func aStoreWithoutConditionsIsRefused() throws {
    let server = try BucketServer(.ignoresConditions)
    let desk = try desk(server)
    let problem = try #require(Desk.problem { try desk.push(Self.url) })
    #expect(problem.contains("ignores the conditions") && problem.contains("--last-writer-wins"))
    #expect(!server.paths.contains("/stubs/team/shop.json"))
    try desk.push(Self.url) { $0.isLastWriterWinning = true }
    #expect(server.paths.contains("/stubs/team/shop.json"))
  }

  @Test(arguments: [
    (BucketServer.Fault.tearsDownloads, String?.none), (.sendsTooMuch, "bytes that are expected"),
  ])
  func aDownloadIsWholeOrRefused(fault: BucketServer.Fault, message: String?) throws {
    let server = try BucketServer(fault)
    let ada = try desk(server)
    try ada.push(Self.url)
    let bea = try desk(server, nil)
    let problem = Desk.problem { try bea.pull(Self.url, editing: true) }
    #expect(problem.map { $0.contains(message ?? "nothing") } ?? (message == nil))
    #expect(try message == nil ? bea.bytes == ada.bytes : bea.lock == nil)
  }

  @Test func damagedObjectsAreNeverUsed() throws {
    let server = try BucketServer()
    try desk(server).push(Self.url)
    server.damage(".stubdb")
    let bea = try desk(server, nil)
    let problem = Desk.problem { try bea.pull(Self.url, editing: true) }
    #expect(problem?.contains("has another digest") == true && bea.lock == nil)
  }

  /// A catalog that others published between the look at the store and the write is not known: it must be neither
  /// replaced nor merged unseen.
  @Test func ofTwoFirstPushesAtOnceOneIsRefused() throws {
    let server = try BucketServer()
    let (ada, bea) = (try desk(server), try desk(server, "orders/open"))
    try ada.push(Self.url)
    server.begin(.hidesPointers)
    let before = try bea.bytes
    let problem = Desk.problem { try bea.push(Self.url) }
    #expect(problem?.contains("there is a catalog at \(Self.url) already") == true)
    #expect(try bea.lock == nil && bea.bytes == before)
    // What the message says keeps both.
    try bea.pull(Self.url, editing: true)
    try bea.push()
    try ada.pull(updating: true)
    #expect(try ada.scenarios == ["checkout/paid", "orders/open"])
  }
}
