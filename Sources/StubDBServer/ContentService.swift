#if Server
package import HTTPTypes
import NIOCore
import StubDBEngine
import StubDBPlayback

package import struct Foundation.Data

/// Answers all requests of a server in place of scenarios, such as a cache of published catalogs.
package protocol ContentService: Sendable {
  /// Answers a request, at once or later, from any thread; the call may take long.
  func answer(
    _ request: ContentRequest, _ reply: @escaping @Sendable (ContentAnswer) -> Void)
}

/// A request to a ``ContentService``.
package struct ContentRequest: Sendable {
  package var method: String
  /// The path and query.
  package var target: String
  package var headers: HTTPFields
}

/// What a ``ContentService`` answers.
package struct ContentAnswer: Sendable {
  package var status: Int
  package var headers: HTTPFields
  package var content: Data

  package init(status: Int, headers: HTTPFields, content: Data) {
    (self.status, self.headers, self.content) = (status, headers, content)
  }
}

extension Responder {
  /// Answers from a service, on another thread because it reads files and waits for the network.
  func ask(_ service: any ContentService, _ request: ContentRequest) {
    let responder = NIOLoopBound(self, eventLoop: loop)
    let (loop, number) = (loop, answer.number)
    BlockingThreads.shared.run {
      service.answer(request) { given in
        loop.execute {
          guard responder.value.owes(number) else { return }
          responder.value.give(
            ResponseHead(status: given.status, headers: given.headers), given.content)
        }
      }
    }
  }
}
#endif
