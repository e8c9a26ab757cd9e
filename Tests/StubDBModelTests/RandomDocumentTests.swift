import Foundation
import StubDBDocuments
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

  /// Exchanges letters for their other composition, and the case of header names.
  @Test(arguments: [11, 12, 13, 14] as [UInt64])
  func documentsAreEqualIfAndOnlyIfTheirTextsAre(seed: UInt64) throws {
    var random = RandomScenario(seed: seed)
    var generator = SeededRandom(seed: seed)
    var different = 0
    for _ in 0..<150 {
      let text = [
        "\"order\"": "\"ordré\"", "\"paid\"": "\"payé\"", "\"a+\"": "\"é+\"", "<a/>": "<é/>",
        "\"https://api.shop.test\"\n": "\"é\"\n", "\"a/b\"": "\"é\"", "\"dd/MM\"": "\"é\"",
        "\"summary\"\n": "\"résumé\"\n", "\"query\": \"q\"": "\"query\": \"é\"",
      ].reduce(ScenarioDocument.encode(random.next())) { $0.replacing($1.key, with: $1.value) }
      let scenario = try ScenarioDocument.decode(Data(text.utf8))
      let once = exchanged(ScenarioDocument.encode(scenario), rarely: false, &generator)
      let rarely = exchanged(ScenarioDocument.encode(scenario), rarely: true, &generator)
      for other in [text, once, rarely] {
        let again = try ScenarioDocument.decode(Data(other.utf8))
        let (left, right) = (ScenarioDocument.encode(scenario), ScenarioDocument.encode(again))
        let isSame = left.utf8.elementsEqual(right.utf8)
        let isEqual = scenario == again
        try #require(isEqual == isSame, "\(left)\n\(right)")
        if isSame { try #require(scenario.hashValue == again.hashValue) } else { different += 1 }
      }
    }
    #expect(different > 100)
  }

  /// The text with some letters composed otherwise and some header names in other letters.
  private func exchanged(
    _ text: String, rarely: Bool, _ generator: inout SeededRandom
  ) -> String {
    var result = text
    for (written, other) in [
      ("é", "e\u{301}"), ("ü", "u\u{308}"), ("\"X-B\":", "\"x-b\":"),
      ("\"Accept\":", "\"ACCEPT\":"),
    ] {
      let parts = result.components(separatedBy: written)
      result = parts.dropFirst().reduce(parts[0]) { text, part in
        let isOther = Int.random(in: 0..<(rarely ? 20 : 2), using: &generator) == 0
        return text + (isOther ? other : written) + part
      }
    }
    return result
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

  private func members(_ value: JSONValue) -> JSONObject {
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
