import Foundation
import StubDBSecrets
import StubDBSupport

// Contents that are not kept in memory.
extension DraftWriter {
  /// Begins a long content of an answer of this media type.
  func beginContent(_ beginning: Data) throws(Failure) -> LongContent {
    let result = state.withLock { state -> Result<LongContent, Failure> in
      let first = beginning.first { $0 > 0x20 }
      if state.redaction.needsWholeContent, first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
      {
        return .failure(
          Failure(
            message:
              "A request was not recorded: rules of redaction for places in JSON need its whole "
              + "content, which has more than \(limits.inMemory >> 20) MiB."))
      }
      do throws(AppendedFile.Failure) {
        return .success(try makeContent(&state))
      } catch {
        return .failure(Failure(message: error.message))
      }
    }
    return try result.get()
  }

  private func makeContent(_ state: inout State) throws(AppendedFile.Failure) -> LongContent {
    let name = Self.contentName(try open(&state), &state)
    guard
      let content = LongContent(
        name, in: folder, limits: limits, knownCount: state.redaction.count)
    else { throw AppendedFile.Failure(message: "The draft lacks \(folder)/\(name).") }
    return content
  }

  /// Takes the secrets out of a piece and appends it.
  func append(_ piece: Data, to content: LongContent) throws(Failure) {
    let failure = state.withLock { state -> Failure? in
      do throws(Failure) {
        try content.append(piece, &state.redaction)
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }

  /// The name of the file of a content that has come as a whole; another one if a secret was found after a part with it
  /// had been written.
  func finished(
    _ content: LongContent, _ state: inout State
  ) throws(AppendedFile.Failure) -> String {
    do throws(Failure) {
      try content.finish(&state.redaction)
    } catch {
      throw AppendedFile.Failure(message: error.message)
    }
    guard state.redaction.count > content.knownCount else { return content.name }
    return try rewritten(content.name, &state)
  }

  /// The name of a file without the values that are known by now: the same if it has none.
  func rewritten(
    _ name: String, _ state: inout State
  ) throws(AppendedFile.Failure) -> String {
    var name = name
    // What is found only then may be in it, too.
    for _ in 0..<4 {
      let url = URL(fileURLWithPath: "\(folder)/\(name)")
      guard let written = try? Data(contentsOf: url, options: .mappedIfSafe) else { break }
      guard state.redaction.isFound(in: written) else { return name }
      let new = try makeContent(&state)
      do throws(Failure) {
        try new.append(written, &state.redaction)
        try new.finish(&state.redaction)
      } catch {
        new.remove()
        unlink(url.path)
        throw AppendedFile.Failure(message: error.message)
      }
      unlink(url.path)
      name = new.name
    }
    unlink("\(folder)/\(name)")
    throw AppendedFile.Failure(
      message: "A request was not recorded: its secrets cannot be taken out.")
  }
}
