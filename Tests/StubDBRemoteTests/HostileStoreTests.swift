import Foundation
import Testing

@testable import StubDBRemote

/// What a store answers is not repeated where it would do something.
struct HostileStoreTests {
  private struct Fixed: HTTPTransport {
    let answer: TransferAnswer

    func answer(
      to request: TransferRequest, progress: (Int) -> Void
    ) throws(RemoteError) -> TransferAnswer { answer }
  }

  @Test(arguments: [
    ("eu-west-1", "AWS_REGION=eu-west-1"), ("x; touch /tmp/a", "AWS_REGION=REGION"),
    ("$(id)", "AWS_REGION=REGION"), ("", "AWS_REGION=REGION"),
  ])
  func aRegionIsTypedOnlyIfItIsAName(region: String, typed: String) throws {
    let answer = TransferAnswer(status: 301, fields: ["x-amz-bucket-region": region])
    let client = RetryingClient(transport: Fixed(answer: answer), wait: { _ in })
    let store = try RemoteStores(environment: BucketServer.environment, client: client)
      .store(of: RemoteURL(parsing: "s3://stubs/shop"))
    let error = #expect(throws: RemoteError.self) { try store.read("shop.json", limit: 10) }
    #expect(error?.hints.contains { $0.hasSuffix(typed) } == true, "\(error as Any)")
  }
}
