import StubDBModel
import StubDBTemplates

/// A name of a kept value that patterns of a stub compare with.
struct CapturedName: Sendable {
  /// The name as written in the document.
  let written: String
  /// The name as a template of the request.
  let template: Template
}

/// Compiles the patterns of stubs, and rejects those that cannot be played.
struct PatternCompiler {
  var cache = CompilerCache()
  /// The names of kept values that the current stub compares with, each once.
  private(set) var names: [CapturedName] = []
  /// What the templates of these names need.
  private(set) var needs = CompiledNeeds()

  /// Compiles the request pattern of a stub.
  ///
  /// - Throws: An error whose place is relative to `request`.
  mutating func request(
    _ pattern: RequestPattern
  ) throws(CompileError) -> CompiledRequest {
    if !names.isEmpty {
      names = []
      needs = CompiledNeeds()
    }
    return try CompiledRequest(pattern, &self)
  }

  /// The index of the name among the names of the stub.
  mutating func captured(_ name: String) throws(CompileError) -> Int {
    if let known = names.firstIndex(where: { $0.written == name }) { return known }
    names.append(CapturedName(written: name, template: try needs.template(name)))
    return names.count - 1
  }

  /// Compiles a part; its errors get the place of that part.
  mutating func placed<Compiled>(
    _ token: String,
    _ compile: (inout PatternCompiler) throws(CompileError) -> Compiled
  ) throws(CompileError) -> Compiled {
    do throws(CompileError) {
      return try compile(&self)
    } catch {
      throw error.inside(token)
    }
  }

  /// Compiles the elements of a list; their errors get the places of the elements.
  mutating func list<Element, Compiled>(
    _ elements: [Element],
    _ compile: (inout PatternCompiler, Element) throws(CompileError) -> Compiled
  ) throws(CompileError) -> [Compiled] {
    var compiled: [Compiled] = []
    compiled.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      do throws(CompileError) {
        compiled.append(try compile(&self, element))
      } catch {
        throw error.inside(String(index))
      }
    }
    return compiled
  }
}
