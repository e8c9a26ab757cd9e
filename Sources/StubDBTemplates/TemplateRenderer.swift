/// Renders templates within bounds on the work and on the size of the result.
///
/// One renderer serves all templates of one answer: what one template spends is counted against the next.
package struct TemplateRenderer {
  /// What one answer may spend.
  package enum Limit {
    /// Bytes of text that are produced, intermediate results included.
    package static let bytes = 64 * 1024 * 1024
    /// Nodes that are rendered.
    package static let steps = 1_000_000
    /// Bytes of text that one template produces.
    package static let output = 16 * 1024 * 1024
  }

  /// The surroundings that the templates query.
  let environment: any TemplateEnvironment
  var frames: [LoopFrame] = []
  /// The values that the current template has kept under names.
  private var variables: [String: TemplateValue] = [:]
  /// The contents of the blocks whose calls are being evaluated.
  private var contents: [String] = []
  /// The nodes that were rendered so far.
  package private(set) var steps = 0
  private let maximumSteps: Int
  private var bytes = 0
  /// The text that places in errors refer to.
  private var source = ""

  /// The current element of a loop.
  struct LoopFrame {
    var element: TemplateValue
    var key: TemplateValue
    var index: Int
    var isLast: Bool
    var names: [String]
  }

  /// Makes a renderer with nothing spent, for at most so many nodes.
  package init(_ environment: any TemplateEnvironment, steps limit: Int = Limit.steps) {
    self.environment = environment
    maximumSteps = min(limit, Limit.steps)
  }

  /// Renders a template.
  ///
  /// - Throws: A ``TemplateError`` for a value of the wrong kind, and for a template that exceeds a bound.
  package mutating func text(_ template: Template) throws(TemplateError) -> String {
    let outer = (source, variables)
    (source, variables) = (template.source, [:])
    defer { (source, variables) = outer }
    var output = ""
    try write(template.nodes, to: &output)
    return output
  }

  /// Evaluates an expression that stands alone.
  package mutating func value(_ call: TemplateCall) throws(TemplateError) -> TemplateValue {
    let outer = source
    source = call.source
    defer { source = outer }
    return try evaluate(call.expression)
  }

  /// Whether the condition of a block holds; false for other kinds of blocks.
  package mutating func holds(_ block: TemplateBlock) throws(TemplateError) -> Bool {
    guard let condition = block.condition else { return false }
    let outer = source
    source = block.source
    defer { source = outer }
    return try holds(condition)
  }

  /// Runs the body once for each element of a loop.
  package mutating func forEach(
    _ block: TemplateBlock,
    _ body: (inout TemplateRenderer) throws(TemplateError) -> Void
  ) throws(TemplateError) {
    guard let loop = block.loop else { return }
    let outer = source
    source = block.source
    defer { source = outer }
    _ = try forEach(loop, body)
  }

  /// Counts text that the caller produces between templates.
  package mutating func spend(_ byteCount: Int) throws(TemplateError) {
    try step(at: 0)
    try charge(byteCount, at: 0)
  }

  // MARK: Nodes

  private mutating func write(
    _ nodes: [TemplateNode], to output: inout String
  ) throws(TemplateError) {
    for node in nodes {
      switch node {
      case .text(let text):
        try write(text, to: &output, at: 0)
      case .output(let expression):
        try write(try evaluate(expression).plainText, to: &output, at: expression.offset)
      case .choice(let branches):
        for branch in branches {
          if let condition = branch.condition, try !holds(condition) { continue }
          try write(branch.body, to: &output)
          break
        }
      case .loop(let loop, let body, let otherwise):
        let separator = try loop.separator.map { (separator) throws(TemplateError) in
          try evaluate(separator).plainText
        }
        var isFirst = true
        let count = try forEach(loop) { (renderer) throws(TemplateError) in
          if let separator, !isFirst {
            try renderer.write(separator, to: &output, at: loop.list.offset)
          }
          isFirst = false
          try renderer.write(body, to: &output)
        }
        if count == 0 { try write(otherwise, to: &output) }
      case .content(let call, let body):
        var content = ""
        try write(body, to: &content)
        contents.append(content)
        defer { contents.removeLast() }
        try write(try evaluate(call).plainText, to: &output, at: call.offset)
      }
    }
  }

  private mutating func write(
    _ text: String, to output: inout String, at offset: Int
  ) throws(TemplateError) {
    try charge(text.utf8.count, at: offset)
    guard output.utf8.count + text.utf8.count <= Limit.output else {
      throw error("the text is longer than \(Limit.output / 1_048_576) MiB", at: offset)
    }
    output += text
  }

  private mutating func holds(_ condition: TemplateCondition) throws(TemplateError) -> Bool {
    try evaluate(condition.expression).isTrue != condition.isNegated
  }

  /// Calls the body for each element and returns how many there were.
  private mutating func forEach(
    _ loop: TemplateLoop, _ body: (inout TemplateRenderer) throws(TemplateError) -> Void
  ) throws(TemplateError) -> Int {
    let elements: [(key: TemplateValue, value: TemplateValue)]
    switch try evaluate(loop.list) {
    case let value where loop.isOnce:
      elements = value.isTrue ? [(.null, value)] : []
    case .list(let list):
      elements = list.enumerated().map { (.integer($0.offset), $0.element) }
    case .object(let members):
      elements = TemplateValue.sorted(members.keys).map { (.text($0), members[$0] ?? .null) }
    case .null, .text(""):
      return 0
    default:
      throw error(
        "\"each\" goes over a list or an object, and this is neither", at: loop.list.offset)
    }
    for (index, element) in elements.enumerated() {
      try step(at: loop.list.offset)
      frames.append(
        LoopFrame(
          element: element.value, key: element.key, index: index,
          isLast: index == elements.count - 1, names: loop.names))
      defer { frames.removeLast() }
      try body(&self)
    }
    return elements.count
  }

  // MARK: Expressions

  mutating func evaluate(_ expression: TemplateExpression) throws(TemplateError) -> TemplateValue {
    try step(at: expression.offset)
    switch expression.kind {
    case .literal(let value):
      return value
    case .root(let path):
      return try charged(environment.value(at: path) ?? .null, at: expression.offset)
    case .captured(let path):
      var value = environment.captured(path[0])
      for name in path.dropFirst() { value = value?[name] }
      return try charged(value ?? .null, at: expression.offset)
    case .local(let name, let path):
      var value = local(name)
      for name in path { value = value?[name] }
      return try charged(value ?? .null, at: expression.offset)
    case .content:
      return .text(contents.last ?? "")
    case .call(let helper, let arguments, let options):
      var values: [TemplateValue] = []
      for argument in arguments { values.append(try evaluate(argument)) }
      var named: [String: TemplateValue] = [:]
      for (name, option) in options { named[name] = try evaluate(option) }
      let call = TemplateHelperCall(
        arguments: values, options: named, room: max(0, Limit.bytes - bytes))
      let value: TemplateValue
      do throws(TemplateHelperCall.Failure) {
        value = try helper.body(call, environment)
      } catch {
        throw self.error("\"\(helper.name)\": \(error.message)", at: expression.offset)
      }
      _ = try charged(value, at: expression.offset)
      guard case .literal(.text(let name))? = helper.assignedName(arguments, options)?.kind else {
        return value
      }
      variables[name] = value
      return .null
    }
  }

  private func local(_ name: String) -> TemplateValue? {
    if let inner = frames.last {
      switch name {
      case "this": return inner.element
      case "@index": return .integer(inner.index)
      case "@key": return inner.key
      case "@first": return .bool(inner.index == 0)
      case "@last": return .bool(inner.isLast)
      default: break
      }
    }
    for frame in frames.reversed() {
      if frame.names.first == name { return frame.element }
      if frame.names.count > 1, frame.names[1] == name { return frame.key }
    }
    return variables[name]
  }

  // MARK: Bounds

  private mutating func step(at offset: Int) throws(TemplateError) {
    steps += 1
    if steps > maximumSteps {
      throw error("the template takes more than \(maximumSteps) steps", at: offset)
    }
  }

  private mutating func charged(
    _ value: TemplateValue, at offset: Int
  ) throws(TemplateError) -> TemplateValue {
    try charge(value.weight, at: offset)
    return value
  }

  private mutating func charge(_ count: Int, at offset: Int) throws(TemplateError) {
    bytes += count
    guard bytes > Limit.bytes else { return }
    throw error(
      "the templates of one answer handle more than \(Limit.bytes / 1_048_576) MiB", at: offset)
  }

  private func error(_ message: String, at offset: Int) -> TemplateError {
    TemplateError(message: message, place: TemplatePlace(offset, in: Array(source.utf8)))
  }
}
