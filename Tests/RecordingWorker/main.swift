import Foundation
import StubDBCatalog
import StubDBPlayback
import StubDBURLProtocol

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// The program that the tests of recording run as another process: a catalog, a scenario, the first part of each path, a
// number of requests, and a server. It sends them at once, each in a run of its own, and prints a line for each answer.
// With a catalog and a scenario alone, it has the shared session until it is killed.

/// Prints a line immediately, so that a killed process has reported what it did.
func say(_ text: String) {
  FileHandle.standardOutput.write(Data("\(text)\n".utf8))
}

/// Prints the number of cookies that were there, and what the shared session gets.
func haveSharedSession(_ scenario: String, in catalog: Catalog) async throws -> Never {
  say("\(HTTPCookieStorage.shared.cookies?.count ?? 0) cookies")
  let interceptor = try StubInterceptor(scenario, in: catalog)
  try interceptor.interceptSharedSession()
  guard let url = URL(string: "https://api.shop.test/login") else { exit(64) }
  for _ in 0..<2 {
    let (content, _) = try await URLSession.shared.data(from: url)
    say(String(decoding: content, as: UTF8.self))
  }
  while true { try await Task.sleep(for: .seconds(60)) }
}

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.count == 2 {
  try await haveSharedSession(
    arguments[1], in: Catalog(contentsOf: URL(fileURLWithPath: arguments[0])))
}
guard arguments.count == 5, let count = Int(arguments[3]) else { exit(64) }
let catalog = try Catalog(contentsOf: URL(fileURLWithPath: arguments[0]))
let (scenario, prefix, server) = (arguments[1], arguments[2], arguments[4])

try await withThrowingTaskGroup(of: Void.self) { group in
  for index in 0..<count {
    group.addTask {
      let interceptor = try StubInterceptor(
        scenario, in: catalog, options: PlaybackOptions(record: .newEpisodes))
      defer { interceptor.end() }
      guard let url = URL(string: "\(server)/\(prefix)/\(index)") else { exit(64) }
      _ = try await interceptor.urlSession().data(from: url)
      say("\(prefix)/\(index)")
    }
  }
  try await group.waitForAll()
}
