internal import HTTPTypes
internal import StubDBModel

/// Makes flows of recordings in which a write lies between two different answers to the same request.
///
/// A sequence answers by count: it goes wrong as soon as a test reads once more. A flow answers by what was written.
enum FlowMaker {
  /// Adds flows to the stubs, which are in the order of the groups.
  ///
  /// A group gets one only if every change of its answer has a write before it.
  static func addFlows(to stubs: inout [ImportedStub], groups: [CallGroup]) {
    let calls = groups.enumerated().flatMap { place, group in
      group.calls.map { (group: place, call: $0) }
    }.sorted { ($0.call.order) < ($1.call.order) }
    var flows: [(reader: Int, writers: [(group: Int, becomes: Int)])] = []
    for (place, group) in groups.enumerated() where isReader(group) && !group.hasOneAnswer {
      if let writers = writers(of: place, in: calls) { flows.append((place, writers)) }
    }
    var result: [ImportedStub] = []
    var steps: [Int: FlowStep] = [:]
    var readers: [Int: String] = [:]
    for (number, flow) in flows.enumerated() {
      let name = "flow-\(number + 1)"
      // One stub takes one step only; a writer of two flows leaves the second one a sequence.
      guard flow.writers.allSatisfy({ steps[$0.group] == nil }),
        Set(flow.writers.map(\.group)).count == flow.writers.count
      else { continue }
      for writer in flow.writers {
        steps[writer.group] = FlowStep(name: name, becomes: "step-\(writer.becomes)")
      }
      readers[flow.reader] = name
    }
    for (place, stub) in stubs.enumerated() {
      var stub = stub
      if let step = steps[place] { stub.stub.flow = step }
      guard let name = readers[place] else {
        result.append(stub)
        continue
      }
      for (step, response) in stub.stub.responses.enumerated() {
        var copy = stub
        copy.stub.responses = [response]
        copy.stub.responses[0].repeatCount = 1
        copy.stub.flow = FlowStep(
          name: name, requires: step == 0 ? FlowStep.initialState : "step-\(step + 1)")
        result.append(copy)
      }
    }
    stubs = result
  }

  private static func isReader(_ group: CallGroup) -> Bool {
    group.pattern.methods.allSatisfy { $0 == .get || $0 == .head }
  }

  /// The writes that change the answers of a reader, each with the state it leads to; nil if a change has none.
  private static func writers(
    of reader: Int, in calls: [(group: Int, call: RecordedCall)]
  ) -> [(group: Int, becomes: Int)]? {
    var writers: [(group: Int, becomes: Int)] = []
    var (step, lastWriter) = (1, Int?.none)
    var last: StubResponse?
    for (group, call) in calls {
      if group == reader {
        if let last, last != call.response {
          guard let lastWriter else { return nil }
          step += 1
          writers.append((lastWriter, step))
        }
        (last, lastWriter) = (call.response, nil)
      } else if ![.get, .head, .options].contains(call.pattern.methods.first ?? .get) {
        lastWriter = group
      }
    }
    return writers
  }
}
