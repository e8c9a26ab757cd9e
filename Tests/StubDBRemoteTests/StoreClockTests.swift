import Foundation
import StubDBSupport
import Testing

@testable import StubDBRemote

/// Stores whose clock is another one than that of this machine.
struct StoreClockTests {
  enum Service: CaseIterable, Sendable {
    case s3
    case google
    case azure
  }

  @Test(arguments: Service.allCases, [-7200, -1200, 1200, 34_560_000] as [Double])
  func theTimeOfAStoreThatRefusesOursIsUsed(service: Service, difference: Double) throws {
    let server = SkewedServer(service, ahead: difference)
    let store = try server.store()
    #expect(try store.write(.data(Data("x".utf8)), to: "shop.json", if: .isAbsent) == .written)
    #expect(try store.read("shop.json", limit: 10)?.data == Data("x".utf8))
    // It is kept for the requests after the first one.
    #expect(server.statuses.prefix(1) == [403] && server.statuses.filter { $0 == 403 }.count == 1)
  }

  @Test(arguments: Service.allCases)
  func aStoreThatRefusesItsOwnTimeIsAskedTwice(service: Service) throws {
    for (difference, text) in [
      (1200 as Double, "20 minutes behind"), (-3660, "1 hour and 1 minute ahead of"),
      (172_860, "2 days behind"),
    ] {
      let server = SkewedServer(service, ahead: difference, refusesAll: true)
      let store = try server.store()
      let error = #expect(throws: RemoteError.self) { try store.read("shop.json", limit: 10) }
      #expect(server.statuses == [403, 403])
      #expect(error?.code == .denied)
      let hint =
        "This machine's clock is \(text) that of the store, whose time the request was signed with."
      #expect(error?.description.contains(hint) == true, "\(String(describing: error))")
    }
  }

  @Test func aRefusalForAnotherReasonIsNotRepeated() throws {
    for difference in [-240.0, 0, 240] {
      let server = SkewedServer(.s3, ahead: difference, refusesAll: true)
      let store = try server.store()
      let error = #expect(throws: RemoteError.self) { try store.read("shop.json", limit: 10) }
      #expect(server.statuses == [403])
      #expect(error?.description.contains("clock is") == false)
    }
    // A token has no time.
    let server = ServiceServer(.google) { _ in
      TransferAnswer(status: 401, fields: ["date": "Sun, 06 Nov 1994 08:49:37 GMT"])
    }
    let store = try server.store()
    #expect(throws: RemoteError.self) { try store.read("shop.json", limit: 10) }
    #expect(server.requests.count == 1)
  }
}

/// A server that refuses requests of another time than its own.
private final class SkewedServer: HTTPTransport {
  /// 2013-05-24, which the other servers of tests expect, at noon.
  private static let time = Date(timeIntervalSince1970: 1_369_396_800)

  private let service: StoreClockTests.Service
  private let refusesAll: Bool
  private let clientTime: Date
  private let server: any HTTPTransport
  private let answered = Locked([Int]())

  init(_ service: StoreClockTests.Service, ahead seconds: Double, refusesAll: Bool = false) {
    (self.service, self.refusesAll) = (service, refusesAll)
    clientTime = Self.time.addingTimeInterval(-seconds)
    server =
      switch service {
      case .s3: BucketServer()
      case .google: ServiceServer(.googleWithKey)
      case .azure: ServiceServer(.azure)
      }
  }

  /// The statuses of the answers so far.
  var statuses: [Int] { answered.withLock { $0 } }

  func store() throws -> any RemoteStore {
    let (url, environment) =
      switch service {
      case .s3: ("s3://stubs/team/shop", BucketServer.environment)
      case .google:
        (ServiceServer.Service.googleWithKey.url, ServiceServer.Service.googleWithKey.environment)
      case .azure: (ServiceServer.Service.azure.url, ServiceServer.Service.azure.environment)
      }
    let stores = RemoteStores(
      environment: environment, client: RetryingClient(transport: self, wait: { _ in }),
      now: { [clientTime] in clientTime })
    return try stores.store(of: RemoteURL(parsing: url))
  }

  func answer(
    to request: TransferRequest, progress: (Int) -> Void
  ) throws(RemoteError) -> TransferAnswer {
    let date = DateTime(Self.time)
    let httpDate = date.text("EEE, dd MMM yyyy HH:mm:ss 'GMT'")
    let signed = date.text("yyyyMMdd'T'HHmmss'Z'")
    let isOfThisTime =
      request.fields["x-ms-date"] == httpDate || request.fields["x-amz-date"] == signed
      || request.fields["x-goog-date"] == signed
    var answer = TransferAnswer(status: 403)
    if isOfThisTime, !refusesAll { answer = try server.answer(to: request, progress: progress) }
    answer.fields["date"] = httpDate
    answered.withLock { [status = answer.status] in $0.append(status ?? 0) }
    return answer
  }
}
