import Foundation
import StubDBJSON
import StubDBModel
import StubDBTestSupport
import Testing

struct RandomDocumentTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func everyScenarioIsReadBackAsItWasWritten(seed: UInt64) throws {
    var random = RandomScenario(seed: seed)
    for _ in 0..<150 {
      let scenario = random.next()
      let text = ScenarioDocument.encode(scenario)
      let again = try ScenarioDocument.decode(Data(text.utf8))
      try #require(again == scenario, "\(text)")
      try #require(ScenarioDocument.encode(again) == text)
    }
  }

  @Test func thePartsOfAStubSurviveTheirCompactForm() throws {
    var random = RandomScenario(seed: 5)
    for stub in (0..<150).flatMap({ _ in random.next().stubs }) {
      for validation in [DocumentValidation.full, .trusted] {
        let request = try JSONValue(
          parsing: JSONValue.object(stub.request.jsonObject).canonicalText)
        try #require(
          try RequestPattern(jsonObject: members(request), validation: validation) == stub.request)
        for response in stub.responses {
          let whole = response.jsonObject(includingBody: true)
          try #require(try StubResponse(jsonObject: whole, validation: validation) == response)
        }
        if let flow = stub.flow {
          try #require(
            try FlowStep(jsonObject: flow.jsonObject, validation: validation) == flow)
        }
      }
      for response in stub.responses {
        var bare = try StubResponse(
          jsonObject: response.jsonObject(includingBody: false), validation: .trusted)
        try #require(bare.body == nil)
        bare.body = response.body
        try #require(bare == response)
      }
    }
  }

  @Test func damagedDocumentsAreReadOrRefusedButNeverCrash() {
    var random = RandomScenario(seed: 6)
    var generator = SeededRandom(seed: 7)
    var refused = 0
    for _ in 0..<200 {
      let text = Array(ScenarioDocument.encode(random.next()).utf8)
      for _ in 0..<10 {
        var damaged = text
        for _ in 0...Int.random(in: 0..<3, using: &generator) { damage(&damaged, &generator) }
        do throws(DocumentError) {
          _ = try ScenarioDocument.decodeStubs(Data(damaged))
        } catch {
          refused += 1
          #expect(!error.message.isEmpty && error.line != nil)
        }
      }
    }
    #expect(refused > 1000)
  }

  private func members(_ value: JSONValue) -> [String: JSONValue] {
    if case .object(let members) = value { members } else { [:] }
  }

  /// Changes, drops or repeats a few bytes, preferring the bytes that JSON is made of.
  private func damage(_ text: inout [UInt8], _ generator: inout SeededRandom) {
    guard !text.isEmpty else { return }
    let place = Int.random(in: 0..<text.count, using: &generator)
    let end = min(text.count, place + Int.random(in: 1...8, using: &generator))
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: text[place] = UInt8.random(in: 0...255, using: &generator)
    case 1: text[place] = Array("{}[]\":,019-x".utf8).randomElement(using: &generator) ?? 0
    case 2: text.removeSubrange(place..<end)
    default: text.insert(contentsOf: text[place..<end], at: place)
    }
  }
}
