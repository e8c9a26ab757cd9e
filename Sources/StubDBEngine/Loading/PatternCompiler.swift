import StubDBJSON
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
  /// The pattern of the stub before with what it requires, if others may share that.
  private var shared: SharedPattern?
  /// The beginning of the stub before, and the number of its group.
  private var leading: (demands: CompiledDemands, path: CompiledPath, group: Int)?

  /// What a pattern requires besides its path: that of the stub before if they differ in the path only.
  ///
  /// Only neighbours are compared, which mostly have much in common: to look for others costs each load.
  mutating func demands(
    of pattern: UnsafePointer<RequestPattern>, _ path: CompiledPath
  ) throws(CompileError) -> CompiledDemands {
    if let shared, shared.isSame(pattern) { return shared.demands }
    let demands = try CompiledDemands(pattern.pointee, path, &self)
    // A parameter belongs to its path, and a kept value to its stub.
    let isShareable = pattern.pointee.pathParameters.isEmpty && names.isEmpty
    shared = isShareable ? SharedPattern(pattern.pointee, demands) : nil
    return demands
  }

  /// The number of the group of patterns that begin with these parts and have this path, unless it has placeholders.
  ///
  /// Only neighbours are compared: stubs of one URL mostly follow one another.
  mutating func group(of demands: CompiledDemands, _ path: CompiledPath) -> Int {
    if let leading, leading.path.isSameLiteral(as: path),
      leading.demands === demands || leading.demands.leading == demands.leading
    {
      return leading.group
    }
    let group = (leading?.group ?? 0) + 1
    leading = (demands, path, group)
    return group
  }

  /// Compiles the request pattern of a stub where it is: copying one retains each of its parts.
  ///
  /// - Throws: An error whose place is relative to `request`.
  mutating func request(
    _ pattern: UnsafePointer<RequestPattern>
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

/// A pattern, and what it requires besides its path.
///
/// A class, so that a look at the pattern copies nothing.
private final class SharedPattern {
  private let pattern: RequestPattern
  let demands: CompiledDemands

  init(_ pattern: RequestPattern, _ demands: CompiledDemands) {
    (self.pattern, self.demands) = (pattern, demands)
  }

  func isSame(_ other: UnsafePointer<RequestPattern>) -> Bool {
    pattern.isSame(besidesPath: other)
  }
}
