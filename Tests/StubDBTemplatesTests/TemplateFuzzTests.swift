import StubDBTemplates
import Testing

/// Templates made of meaningful pieces: none may crash or hang.
@Suite struct TemplateFuzzTests {
  private static let pieces = [
    "{{", "}}", "{{{", "}}}", "{{#if ", "{{#each ", "{{#unless ", "{{/if}}", "{{/each}}",
    "{{else}}",
    "{{else if ", "{{~", "~}}", "{{!", "--}}", "\\{{", "\\\\{{", "request.json.items",
    "request.json",
    "request.query.tag", "request.", "captured.", "captured ", "this", "@index", "name", "as |",
    "|",
    "(", ")", "[", "]", "'", "\"", "=", " ", ".", "1", "-1", "99999", "é", "\u{0}", "\n", "upper ",
    "concat ", "range ", "math ", "'+' ", "jsonPath ", "'$.*' ", "now ", "offset=", "'1 days'",
    "randomValue ", "length=", "counter ", "merge ", "json ", "substring ", "array ", "x",
  ]

  @Test(arguments: 0..<8)
  func noTemplateCrashes(_ seed: Int) {
    let environment = StandInEnvironment()
    environment.state = UInt64(seed) &* 7_919 &+ 1
    var (read, carriedOut) = (0, 0)
    for _ in 0..<4_000 {
      let count = Int(environment.random() >> 60) + 1
      let text = (0..<count).map { _ in
        Self.pieces[Int((environment.random() >> 33) % UInt64(Self.pieces.count))]
      }.joined()
      guard let template = try? Template(text) else { continue }
      read += 1
      var renderer = TemplateRenderer(environment)
      if (try? renderer.text(template)) != nil { carriedOut += 1 }
    }
    #expect(read > 100 && carriedOut > 50)
  }

  /// A changed template is refused with a place in it, or gives the same text each time.
  @Test func changedTemplatesAreRefusedOrGiveOneText() {
    let random = StandInEnvironment()
    var (refused, texts) = (0, 0)
    for (text, _) in TemplateTests.language + TemplateTests.functions {
      for _ in 0..<40 {
        var bytes = Array(text.utf8)
        let place = Int((random.random() >> 33) % UInt64(bytes.count))
        switch random.random() >> 62 {
        case 0: bytes.remove(at: place)
        case 1: bytes[place] = UInt8(truncatingIfNeeded: random.random() >> 40)
        case 2: bytes.insert(bytes[place], at: place)
        default: bytes.removeSubrange(place...)
        }
        let changed = String(decoding: bytes, as: UTF8.self)
        guard let template = try? Template(changed) else {
          refused += 1
          continue
        }
        let results = (0..<2).map { _ in
          var renderer = TemplateRenderer(StandInEnvironment())
          return try? renderer.text(template)
        }
        #expect(results[0] == results[1], "\(changed)")
        if results[0] != nil { texts += 1 }
      }
    }
    #expect(refused > 100 && texts > 100)
  }
}
