import HTTPTypes
import StubDBJSON
import StubDBModel
import StubDBTestSupport

@testable import StubDBChanges

/// An edit of a branch.
struct RandomEdit: CustomStringConvertible {
  var description: String
  var isOurs = true
  var apply: (inout [Scenario]) -> Void
}

/// Makes catalogs and edits from a seed.
struct RandomHistory {
  private var generator: SeededRandom
  private var counter = 0

  init(seed: UInt64) { generator = SeededRandom(seed: seed) }

  private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

  /// A number that is unique in this history.
  private mutating func fresh() -> Int {
    counter += 1
    return counter
  }

  mutating func catalog() -> [Scenario] {
    (0..<1 + below(4)).map { index in
      Scenario(
        name: ScenarioName(unchecked: "area/case-\(index)"), summary: "Summary \(fresh())",
        tags: ["a", "b"], stubs: (0..<2 + below(4)).map { stub("stub-\($0)") })
    }
  }

  private mutating func stub(_ key: String) -> Stub {
    let number = fresh()
    return Stub(
      key: Stub.Key(unchecked: key), summary: "Stub \(number)",
      request: RequestPattern(
        methods: [.get], scheme: "https", host: "api.shop.test", path: .template("/v1/\(number)"),
        headers: [HeaderPattern(.accept, .contains("json"))]),
      responses: (0..<1 + below(3)).map { index in
        StubResponse(
          status: 200 + index, headers: [.contentType: "application/json"],
          body: .json([
            "id": .number(JSONNumber(fresh())), "name": .string("name \(number)"),
            "items": .array((0..<3).map { .number(JSONNumber(number * 10 + $0)) }),
            "nested": ["x": .number(JSONNumber(fresh())), "y": .null],
          ]))
      })
  }

  /// Edits of different places, each assigned to one side at random.
  mutating func edits(of base: [Scenario]) -> [RandomEdit] {
    var edits: [RandomEdit] = []
    for scenario in base {
      // An edit that removes or renames something is the only edit of it.
      if below(8) == 0 {
        edits.append(
          Self.step("remove \(scenario.name)") { all in
            all.removeAll { $0.name == scenario.name }
          })
        edits[edits.count - 1].isOurs = below(2) == 0
        continue
      }
      var inside = self.edits(inside: scenario)
      for index in inside.indices { inside[index].isOurs = below(2) == 0 }
      if below(6) == 0 {
        // By one side only, while the other edits it: a scenario that is renamed and rewritten at once is a different
        // scenario.
        let isOurs = below(2) == 0
        for index in inside.indices { inside[index].isOurs = !isOurs }
        inside.append(renaming(scenario.name))
        inside[inside.count - 1].isOurs = isOurs
      }
      edits += inside
    }
    for _ in 0..<below(3) {
      let added = Scenario(
        name: ScenarioName(unchecked: "new/case-\(fresh())"),
        stubs: [stub("first"), stub("second")])
      edits.append(Self.step("add \(added.name)") { $0.append(added) })
      edits[edits.count - 1].isOurs = below(2) == 0
    }
    return edits
  }

  private mutating func edits(inside scenario: Scenario) -> [RandomEdit] {
    var edits: [RandomEdit] = []
    if below(3) == 0 {
      let summary = "Summary \(fresh())"
      edits.append(change(scenario, "summary") { $0.summary = summary })
    }
    if below(3) == 0 {
      let tag = "tag-\(fresh())"
      edits.append(change(scenario, "tag \(tag)") { $0.tags = ($0.tags + [tag]).sorted() })
    }
    if below(4) == 0 {
      edits.append(change(scenario, "untag") { $0.tags.removeAll { $0 == "a" } })
    }
    for stub in scenario.stubs {
      switch below(5) {
      case 0:
        edits.append(
          change(scenario, "remove \(stub.key)") { $0.stubs.removeAll { $0.key == stub.key } })
      case 1: continue
      default: edits += self.edits(inside: stub, of: scenario)
      }
    }
    for _ in 0..<below(3) {
      let added = self.stub("new-\(fresh())")
      let place = below(scenario.stubs.count + 1)
      edits.append(
        change(scenario, "add \(added.key)") {
          $0.stubs.insert(added, at: min(place, $0.stubs.count))
        })
    }
    return edits
  }

  private mutating func edits(inside stub: Stub, of scenario: Scenario) -> [RandomEdit] {
    var edits: [RandomEdit] = []
    for place in 0..<Self.placeCount where below(4) == 0 {
      edits.append(edit(place, of: stub, in: scenario))
    }
    return edits
  }

  private static let placeCount = 9

  /// An edit of one of the places of a stub.
  private mutating func edit(
    _ place: Int, of stub: Stub, in scenario: Scenario
  ) -> RandomEdit {
    let number = fresh()
    return change(stub, of: scenario, "place \(place) to \(number)") { stub in
      switch place {
      case 0: stub.summary = "Summary \(number)"
      case 1: stub.priority = 1 + number % 4
      case 2: stub.request.path = .template("/v2/\(number)")
      case 3: stub.request.host = .equalTo("host-\(number).test", caseInsensitive: false)
      case 4:
        stub.request.query = [NamedPattern("q", .equalTo("\(number)", caseInsensitive: false))]
      case 5: stub.responses[0].status = 300 + number % 200
      case 6: stub.responses[0].headers[.retryAfter] = "\(number)"
      case 7: stub.responses[0].setJSON(["nested", "x"], .number(JSONNumber(number)))
      default: stub.responses[0].setJSON(["added-\(place)"], .string("\(number)"))
      }
    }
  }

  private mutating func renaming(_ name: ScenarioName) -> RandomEdit {
    let new = ScenarioName(unchecked: "renamed/case-\(fresh())")
    // Its own name is used whatever was renamed before.
    return Self.step("rename \(name) to \(new)") { all in
      for index in all.indices where all[index].name == name { all[index].name = new }
    }
  }

  /// Two edits of the same place, one of which may be a removal.
  mutating func rivalEdits(of base: [Scenario]) -> (RandomEdit, RandomEdit)? {
    guard let scenario = base.randomElement(using: &generator),
      let stub = scenario.stubs.randomElement(using: &generator)
    else { return nil }
    let place = below(Self.placeCount)
    let first = edit(place, of: stub, in: scenario)
    switch below(4) {
    case 0:
      return (
        first,
        change(scenario, "remove \(stub.key)") { $0.stubs.removeAll { $0.key == stub.key } }
      )
    case 1:
      return (
        first, Self.step("remove \(scenario.name)") { $0.removeAll { $0.name == scenario.name } }
      )
    default: return (first, edit(place, of: stub, in: scenario))
    }
  }

  /// Scenarios `s/0`, … of which later ones include earlier ones.
  mutating func includingCatalog() -> [Scenario] {
    (0..<3 + below(3)).map { index in
      var scenario = Scenario(
        name: ScenarioName(unchecked: "s/\(index)"), stubs: [stub("first"), stub("second")])
      if index > 0, below(2) == 0 {
        scenario.includes = [ScenarioReference(unchecked: "s/\(below(index))")]
      }
      return scenario
    }
  }

  /// The same scenarios, some of them renamed, removed, edited, added or with other includes.
  mutating func rearranged(_ base: [Scenario]) -> [Scenario] {
    var all = base
    for _ in 0..<1 + below(6) {
      guard let index = all.indices.randomElement(using: &generator) else { break }
      let name = all[index].name
      switch below(6) {
      case 0, 1:
        let new = ScenarioName(unchecked: "r/\(below(3))")
        if all.contains(where: { $0.name == new }) { continue }
        all[index].name = new
        for other in all.indices {
          all[other].includes = all[other].includes.map {
            $0.ownName == name ? ScenarioReference(new) : $0
          }
        }
      case 2:
        all.remove(at: index)
        for other in all.indices { all[other].includes.removeAll { $0.ownName == name } }
      case 3 where below(3) == 0:
        let other = ScenarioReference(unchecked: "payments:card/\(below(3))")
        if !all[index].includes.contains(other) { all[index].includes.append(other) }
      case 3:
        let other = all[below(all.count)].name
        if all[index].includes.contains(other) { continue }
        all[index].includes.append(ScenarioReference(other))
        let graph = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0.includes.ownNames) })
        if !IncludeCircles.scenarios(in: graph).isEmpty { all[index].includes.removeLast() }
      case 4:
        let new = ScenarioName(unchecked: "r/\(below(3))")
        if all.contains(where: { $0.name == new }) { continue }
        all.append(Scenario(name: new, includes: [name], stubs: [stub("added")]))
      default: all[index].stubs[0].responses[0].status = 300 + below(200)
      }
    }
    return all
  }

  private static func step(
    _ description: String, _ apply: @escaping (inout [Scenario]) -> Void
  ) -> RandomEdit {
    RandomEdit(description: description, apply: apply)
  }

  private func change(
    _ scenario: Scenario, _ what: String, _ body: @escaping (inout Scenario) -> Void
  ) -> RandomEdit {
    Self.step("\(scenario.name): \(what)") { all in
      for index in all.indices where all[index].name == scenario.name { body(&all[index]) }
    }
  }

  private func change(
    _ stub: Stub, of scenario: Scenario, _ what: String, _ body: @escaping (inout Stub) -> Void
  ) -> RandomEdit {
    change(scenario, "\(stub.key): \(what)") { scenario in
      for index in scenario.stubs.indices where scenario.stubs[index].key == stub.key {
        body(&scenario.stubs[index])
      }
    }
  }
}

extension StubResponse {
  fileprivate mutating func setJSON(_ path: [String], _ value: JSONValue) {
    guard case .bytes(let data) = body?.content, let json = try? JSONValue(parsing: data) else {
      return
    }
    body = .json(json.setting(path[...], to: value))
  }
}

extension JSONValue {
  fileprivate func setting(_ path: ArraySlice<String>, to value: JSONValue) -> JSONValue {
    guard let name = path.first, case .object(var members) = self else { return value }
    members[name] = (members[name] ?? [:]).setting(path.dropFirst(), to: value)
    return .object(members)
  }
}
