import StubDBJSON
import StubDBModel

/// Reports why a part of a stub cannot be played, with its place in the stub.
struct CompileError: Error {
  let code: EngineError.Code
  /// A phrase that says what is wrong.
  let reason: String
  /// The place from the outside in.
  private(set) var path: [String]

  init(code: EngineError.Code, reason: String, path: [String] = []) {
    self.code = code
    self.reason = reason
    self.path = path
  }

  /// The same error, with the place relative to the enclosing value.
  func inside(_ tokens: String...) -> CompileError {
    var copy = self
    copy.path = tokens + path
    return copy
  }

  /// The error with the name of the stub.
  func error(in source: LoadedScenario.Source, index: Int) -> EngineError {
    let pointer = JSONPointer(["stubs", String(index)] + path)
    let place = "stub \"\(source.stub.key)\" of scenario \"\(source.origin)\""
    let message = "\(pointer) in \(place): \(reason)"
    return EngineError(
      code: code, message: message, reason: reason, scenario: source.origin,
      stubKey: source.stub.key, pointer: pointer)
  }
}
