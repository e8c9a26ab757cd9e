import Foundation
import Testing

/// A process that may open few files says so, and is not ended by a signal.
struct FewFilesTests {
  @Test(arguments: [
    "git install", "mirror texts", "restore checkout/paid", "resolve --all --ours", "check",
    "log checkout/paid", "add a/b --url /x", "list",
  ])
  func aProgramThatCannotBeStartedForWantOfFilesIsAnError(command: String) throws {
    let box = try Sandbox.shop()
    _ = try box.shell("git init -q .")
    for count in [6, 7, 8, 10, 12, 16, 24] {
      let result = try box.shell("ulimit -n \(count) && exec stubdb \(command)")
      // It works, or says why it does not: a part that fails in silence would be neither.
      let isRefused = result.err.contains("rror: ")
      let codes: Set<Int32> = isRefused ? [1, 64] : [0, 2]
      #expect(codes.contains(result.code), "\(count): \(result)")
    }
  }

  #if Server
    @Test(arguments: [
      "serve checkout/paid --port 0", "record a/b --reverse http://127.0.0.1:9 -- true",
    ])
    func aServerThatCannotStartForWantOfFilesIsAnError(command: String) throws {
      let box = try Sandbox.shop()
      for count in 6...14 {
        let result = try box.shell("ulimit -n \(count) && exec timeout 20 stubdb \(command)")
        #expect(result.code == 1 && result.err.contains("Error: "), "\(count): \(result)")
      }
    }
  #endif
}
