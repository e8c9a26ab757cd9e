import StubDBJSON
import StubDBModel

/// Why a part of a stub cannot be played, and where in the stub it stands.
struct CompileError: Error {
  let code: EngineError.Code
  /// What is wrong, as the end of a sentence.
  let reason: String
  /// The place from the outside in.
  private(set) var path: [String]

  init(code: EngineError.Code, reason: String, path: [String] = []) {
    self.code = code
    self.reason = reason
    self.path = path
  }

  /// The same, seen from the value around.
  func inside(_ tokens: String...) -> CompileError {
    var copy = self
    copy.path = tokens + path
    return copy
  }

  /// The error that names the stub.
  func error(in source: LoadedScenario.Source, index: Int) -> EngineError {
    let pointer = JSONPointer(["stubs", String(index)] + path)
    let place = "stub \"\(source.stub.key)\" of scenario \"\(source.origin)\""
    let message = "\(pointer) in \(place): \(reason)"
    return EngineError(
      code: code, message: message, reason: reason, scenario: source.origin,
      stubKey: source.stub.key, pointer: pointer)
  }
}
