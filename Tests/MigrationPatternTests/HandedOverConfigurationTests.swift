import Foundation
import StubDB
import StubDBJSON
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A configuration with `protocolClasses` for a client library that builds its own session.
@Suite struct HandedOverConfigurationTests {
  /// A client like those of libraries: it takes a configuration and keeps its session to itself.
  private final class ClientLibrary: Sendable {
    private let session: URLSession

    init(configuration: URLSessionConfiguration) {
      session = URLSession(configuration: configuration)
    }

    func numbers() async throws -> [Int] {
      let url = try #require(URL(string: "https://api.test/numbers"))
      return try JSONDecoder().decode([Int].self, from: try await session.data(from: url).0)
    }
  }

  private func client(_ interceptor: StubInterceptor) -> ClientLibrary {
    let configuration = URLSessionConfiguration.default
    configuration.protocolClasses = [interceptor.protocolClass]
    configuration.urlCache = nil
    return ClientLibrary(configuration: configuration)
  }

  @Test func aValidBodyIsDecoded() async throws {
    let interceptor = StubInterceptor()
    interceptor.stub { _ in .json([1, 2, 3]) }
    #expect(try await client(interceptor).numbers() == [1, 2, 3])
  }

  @Test(arguments: [#"{"numbers":[1]}"#, "\u{1}not json", ""])
  func aWrongShapeAndGarbageAreDecodingErrors(_ body: String) async throws {
    let interceptor = StubInterceptor()
    interceptor.stub { _ in .text(body) }
    await #expect(throws: DecodingError.self) { try await client(interceptor).numbers() }
  }

  @Test func theInterceptorsOwnConfigurationServesAsWell() async throws {
    let interceptor = StubInterceptor()
    interceptor.stub { _ in .json([4]) }
    let library = ClientLibrary(configuration: interceptor.configuration())
    #expect(try await library.numbers() == [4])
  }
}
