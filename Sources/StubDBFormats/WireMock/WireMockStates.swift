internal import StubDBModel

/// The mappings of a stub, and the states of a "scenario" of WireMock that decide between them.
///
/// https://wiremock.org/docs/stateful-behaviour/
struct WireMockStates {
  /// A mapping.
  struct Step {
    enum Answer {
      case response(Int)
      /// The real server, after all responses.
      case proxy(String)
    }

    var answer: Answer
    var requires: String?
    var becomes: String?
  }

  /// The first state of every scenario there.
  static let initialState = "Started"
  /// More mappings than are readable.
  private static let maximumStepCount = 200

  /// The name of the scenario; nil if there is no state.
  private(set) var name: String?
  private(set) var steps: [Step] = []
  /// Whether the states are those of a sequence of responses, which a later import makes one stub of.
  private(set) var isSequence = false

  /// - Throws: ``Untranslatable`` for a sequence that has no such form.
  init(_ exported: ExportedStub, flows: Set<String>) throws {
    let stub = exported.stub
    var flow = stub.flow
    if flow?.requires == nil, flow?.becomes == nil { flow = nil }
    guard !Self.isOneAnswer(stub) else {
      name = flow?.name
      steps = [
        Step(
          answer: .response(0), requires: flow?.requires.map(Self.state),
          becomes: flow?.becomes.map(Self.state))
      ]
      return
    }
    guard flow == nil else {
      throw Untranslatable("a sequence of responses in a flow", "one mapping has one state")
    }
    var name = "\(exported.scenario.rawValue)/\(stub.key.rawValue)"
    while flows.contains(name) { name += "'" }
    self.name = name
    isSequence = true
    try addSequence(stub)
  }

  private static func isOneAnswer(_ stub: Stub) -> Bool {
    guard stub.then == .repeatLast || stub.then == .cycle else { return false }
    return stub.responses.allSatisfy { $0.once == stub.responses[0].once }
  }

  private mutating func addSequence(_ stub: Stub) throws {
    var indices: [Int] = []
    for (index, response) in stub.responses.enumerated() {
      let isLast = index == stub.responses.count - 1
      let count = isLast && stub.then == .repeatLast ? 1 : response.repeatCount
      guard count <= Self.maximumStepCount, indices.count + count <= Self.maximumStepCount else {
        throw Untranslatable("a sequence of more than \(Self.maximumStepCount) answers")
      }
      indices += repeatElement(index, count: count)
    }
    let key = stub.key.rawValue
    func state(_ number: Int) -> String {
      if number == 0 { return Self.initialState }
      return number < indices.count ? "\(key)-\(number + 1)" : "\(key)-done"
    }
    steps = indices.enumerated().map { number, index in
      Step(answer: .response(index), requires: state(number), becomes: state(number + 1))
    }
    switch stub.then {
    case .repeatLast: steps[steps.count - 1].becomes = nil
    case .cycle: steps[steps.count - 1].becomes = Self.initialState
    case .passthrough:
      guard let target = WireMockResponseWriter.target(of: stub.request) else {
        throw Untranslatable("passthrough", "without a host WireMock has nowhere to pass it to")
      }
      steps.append(Step(answer: .proxy(target), requires: state(indices.count), becomes: nil))
    default: break
    }
  }

  /// The name of a state there; each name represents one state here.
  private static func state(_ name: String) -> String {
    switch name {
    case FlowStep.initialState: initialState
    case initialState: FlowStep.initialState
    default: name
    }
  }
}
