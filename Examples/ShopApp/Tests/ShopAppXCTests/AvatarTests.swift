import Foundation
import ShopApp
import StubDBTesting
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

final class AvatarTests: XCTestCase {
  /// The smallest picture there is.
  private let picture = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"

  func testUploadSendsThePicture() async throws {
    let interceptor = try loadScenario("uploads/avatar", catalog: "Fixtures/shop.stubdb")
    var client = ShopClient(session: interceptor.urlSession())
    _ = try await client.signIn(email: "ada@shop.test", password: "correct horse")
    let tag = try await client.uploadAvatar(try XCTUnwrap(Data(base64Encoded: picture)))
    XCTAssertEqual(tag, "\"v2\"")
    try interceptor.verify()
  }

  func testUploadOfNothingIsRefused() async throws {
    let interceptor = try loadScenario("uploads/avatar", catalog: "Fixtures/shop.stubdb")
    let client = ShopClient(session: URLSession(configuration: interceptor.configuration()))
    do {
      _ = try await client.uploadAvatar(Data())
      XCTFail("nothing was uploaded, and no error came")
    } catch {
      XCTAssertEqual(error as? ShopError, .failed(status: 400))
    }
  }
}
