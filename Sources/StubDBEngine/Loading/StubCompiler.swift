import Foundation
import StubDBModel

/// A stub that is ready to be played.
struct CompiledStub {
  let request: CompiledRequest
  /// What answers need besides the responses; nil for most stubs.
  let answer: CompiledAnswer?
}

/// Compiles stubs, and rejects those that cannot be played.
struct StubCompiler {
  private var patterns = PatternCompiler()

  mutating func compile(
    _ stub: borrowing Stub, _ data: (ResponseBody) throws -> Data
  ) throws(CompileError) -> CompiledStub {
    let request: CompiledRequest
    do throws(CompileError) {
      request = try patterns.request(stub.request)
    } catch {
      throw error.inside("request")
    }
    return CompiledStub(
      request: request,
      answer: try CompiledAnswer(
        stub, path: request.path.template, names: patterns.names, needs: patterns.needs,
        data: data))
  }

  /// All problems that prevent playing a scenario, at most one for each stub.
  static func problems(in scenario: Scenario) -> [EngineError] {
    var compiler = StubCompiler()
    return scenario.stubs.enumerated().compactMap { index, stub in
      do throws(CompileError) {
        _ = try compiler.compile(stub) { body in
          guard case .bytes(let data) = body.content else { return Data() }
          return data
        }
        return nil
      } catch {
        return error.error(
          in: LoadedScenario.Source(origin: scenario.name, stub: stub), index: index)
      }
    }
  }
}
