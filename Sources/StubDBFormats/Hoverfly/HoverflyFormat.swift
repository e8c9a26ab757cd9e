internal import Foundation
internal import StubDBJSON
internal import StubDBModel

/// Simulations of Hoverfly, versions 1 to 5.
///
/// https://docs.hoverfly.io/en/latest/pages/keyconcepts/simulations/simulations.html
struct HoverflyFormat: ImportFormat {
  let name = "hoverfly"
  let summary = "simulations of Hoverfly"
  let ownOptions: Set<ImportOption> = [.lenient, .allowFiles]

  func recognizes(_ input: ImportInput) -> Bool {
    guard let root = input.tree?.root else { return false }
    return root["data"]?["pairs"] != nil && root["meta"]?["schemaVersion"] != nil
  }

  func read(_ input: ImportInput, options: ImportOptions) throws(FormatError) -> ImportedContent {
    guard let root = input.tree?.root, let data = root["data"] else { return .scenarios([]) }
    let version = try Self.version(root, input)
    root["meta"]?.ignoreUnread()
    let actions = HoverflyActions(data["globalActions"], isLenient: options.isLenient)
    let reader = HoverflyPairReader(
      input: input, options: options, version: version, literals: Self.literals(data))
    var pairs: [HoverflyPair] = []
    for pair in data.list("pairs") { pairs += try reader.pairs(of: pair) }
    ignoreRest(of: data)
    var stubs = try actions.stubs()
    let sorted = HoverflySequences.grouped(HoverflyPair.strongestFirst(pairs))
    if sorted.map(\.number) != sorted.map(\.number).sorted() {
      input.log.add(
        .changed, .priority, file: input.file, pointer: "/data/pairs", item: nil,
        "Of several pairs the strongest match answers; the stubs are in this order")
    }
    for pair in sorted { stubs += try pair.stubs() }
    let scenario = ImportedScenario(
      name: input.path, tags: pairs.flatMap(\.labels), stubs: stubs)
    return .scenarios([scenario])
  }

  private static func version(
    _ root: SourceValue, _ input: ImportInput
  ) throws(FormatError) -> Int {
    let value = root["meta"]?["schemaVersion"]
    let text = value?.text ?? ""
    guard text.hasPrefix("v"), let major = Int(text.dropFirst().prefix { $0 != "." }),
      (1...5).contains(major)
    else {
      let error = value?.failure("the version \(text) of simulations is not known; 1 to 5 are read")
      throw error ?? FormatError(file: input.file, message: "the simulation has no version")
    }
    return major
  }

  /// The values of `{{ Literals.name }}`.
  private static func literals(_ data: SourceValue) -> [String: String] {
    var literals: [String: String] = [:]
    for literal in data.list("literals") {
      if let name = literal.text("name"), let value = literal.text("value") {
        literals[name] = value
      }
    }
    return literals
  }

  private func ignoreRest(of data: SourceValue) {
    data["literals"]?.ignoreUnread()
    // What uses a variable was left out.
    data["variables"]?.ignore()
  }
}

/// The delays of a whole simulation: stubs that slow the next stub that matches.
struct HoverflyActions {
  private let actions: SourceValue?
  private let isLenient: Bool

  init(_ actions: SourceValue?, isLenient: Bool) {
    (self.actions, self.isLenient) = (actions, isLenient)
  }

  func stubs() throws(FormatError) -> [ImportedStub] {
    var stubs: [ImportedStub] = []
    for name in ["delays", "delaysLogNormal"] {
      guard let list = actions?[name] else { continue }
      if list.isNull { list.ignore() }
      for delay in list.elements {
        let conditions = [delay["httpMethod"], delay["urlPattern"]]
        stubs += try StubTranslation.stubs(
          of: delay, conditions: conditions, isLenient: isLenient
        ) { _ in
          let time =
            name == "delays"
            ? try HoverflyDelays.fixed(delay["delay"]) : try HoverflyDelays.lognormal(delay)
          guard let time else { throw Unanswerable("it has no delay") }
          let stub = Stub(
            key: .unset, summary: "network-delay", priority: 1, request: try request(delay),
            responses: [StubResponse(delay: time, delegation: .next)])
          return [ImportedStub(stub: stub, name: "network-delay")]
        }
      }
    }
    return stubs
  }

  private func request(_ delay: SourceValue) throws -> RequestPattern {
    var request = RequestPattern()
    if let method = delay.text("httpMethod"), !method.isEmpty {
      request.methods =
        try RequestPattern.reading(.method, .string(method.uppercased())).methods
    }
    // The expression is about host and path.
    let pattern = delay.text("urlPattern") ?? "."
    guard pattern != ".", pattern != ".*", !pattern.isEmpty else { return request }
    // An anchor belongs to one of several alternatives only.
    let isSimple = !AnchoredExpression.isChoice(pattern)
    let isStart = isSimple && pattern.hasPrefix("^")
    let isEnd = isSimple && pattern.hasSuffix("$") && !pattern.hasSuffix("\\$")
    let middle = pattern.dropFirst(isStart ? 1 : 0).dropLast(isEnd ? 1 : 0)
    let expression = AnchoredExpression.moved(
      (isStart ? "" : "[^?]*") + (try ForeignExpression(String(middle), .path).group),
      to: "(?<=^(?:[a-z]{1,20}://)?)")
    request.wholeURL = .matches(
      "(?:[a-z]+://)?+" + expression + (isEnd ? "" : "[^?]*") + "(?:\\?.*)?")
    return request
  }
}

enum HoverflyDelays {
  static func fixed(_ value: SourceValue?) throws -> ResponseDelay? {
    guard let value, !value.isNull, let time = value.number else { return nil }
    return .ifAny(try ResponseTime.duration(milliseconds: time))
  }

  /// A log-normal distribution by its mean and median.
  static func lognormal(_ value: SourceValue) throws -> ResponseDelay? {
    guard let mean = value.number("mean"), let median = value.number("median"), median > 0,
      mean >= median
    else { throw Untranslatable("the delay") }
    for name in ["min", "max"] where value[name]?.peekedText.map({ $0 != "0" }) ?? false {
      value[name]?.change(.matcher, "The delay has no bounds")
    }
    value.ignore("min", "max")
    let sigma = ((2 * log(mean / median)).squareRoot() * 10_000).rounded() / 10_000
    return try ResponseTime.lognormal(median: median, sigma: sigma)
  }
}
