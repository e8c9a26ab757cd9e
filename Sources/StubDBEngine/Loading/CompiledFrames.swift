import StubDBModel

/// What the frames of a WebSocket expect, ready to be compared with messages.
struct CompiledFrames: Sendable {
  /// The patterns of the frames that expect a message, by their index in the script.
  let patterns: [Int: [any CompiledBody]]
  /// The names of kept values that the patterns compare with.
  let names: [CapturedName]

  /// Compiles the expectations of a script.
  ///
  /// - Throws: An error whose place is relative to the response.
  init(_ script: WebSocketScript, _ needs: inout CompiledNeeds) throws(CompileError) {
    var compiler = PatternCompiler()
    var compiled: [Int: [any CompiledBody]] = [:]
    for (index, frame) in script.frames.enumerated() {
      guard case .expect(let expected, _) = frame.kind else { continue }
      do throws(CompileError) {
        compiled[index] = try compiler.bodyList(expected, under: "expect")
      } catch {
        throw error.inside("webSocket", "frames", String(index))
      }
    }
    patterns = compiled
    names = compiler.names
    needs.merge(compiler.needs)
  }
}
