import Foundation
import StubDBTemplates
import Testing

@Suite struct TemplateTests {
  static let language: [(String, String)] = [
    ("plain } text }} { here", "plain } text }} { here"),
    ("{{request.method}}", "POST"),
    ("{{{request.method}}}!", "POST!"),
    ("a {{ request.path }} b", "a /shop/7 b"),
    ("{{request.query.page}}|{{request.query.tag.1}}|{{request.query.tag}}", #"2|b|["a","b"]"#),
    ("{{request.headers.X-Id}}{{request.headers.[X-Id]}}", "h 1h 1"),
    ("{{request.json.none}}{{request.json.missing.deep}}", ""),
    ("{{request.json.name}}", "Ä \"b\""),
    ("{{captured.token}}", "t1"),
    ("{{captured.[customers/7].id}}{{lookup (captured 'customers/' 8) 'id'}}", "78"),
    ("{{size (capturedAll 'customers/')}}", "2"),
    ("{{answer.number}}", "3"),
    (#"\{{x}} \\{{request.method}} \x"#, #"{{x}} \POST \x"#),
    ("a{{! note }}b{{!-- {{x}} --}}c", "abc"),
    ("a \n {{~request.method~}} \n b", "aPOSTb"),
    (#"{{concat "a\"b" 'c\'d' 1 true}}"#, #"a"bc'd1true"#),
    ("{{concat '}}' \"{{\"}}", "}}{{"),
    // conditions
    ("{{#if request.json.paid}}yes{{else}}no{{/if}}", "yes"),
    ("{{#if request.json.none}}yes{{else}}no{{/if}}", "no"),
    ("{{#unless request.query.q}}none{{/unless}}", "none"),
    (
      "{{#if (eq request.query.page 1)}}a{{else if (eq request.query.page 2)}}b{{else}}c{{/if}}",
      "b"
    ),
    // loops
    ("{{#each request.json.items}}{{name}}{{#unless @last}}, {{/unless}}{{/each}}", "cup, pot"),
    (
      "{{#each request.json.items as |item i|}}{{i}}{{item.id}}{{@first}} {{/each}}",
      "01true 12false "
    ),
    ("{{#each request.json.missing}}x{{else}}nothing{{/each}}", "nothing"),
    ("{{#each (range 1 3)}}{{this}}{{/each}}{{#each (range 2 0)}}{{this}}{{/each}}", "123210"),
    (
      "{{#each request.query.tag as |t|}}{{#each request.json.items}}{{t}}{{id}} {{/each}}{{/each}}",
      "a1 a2 b1 b2 "
    ),
    ("{{#each (captured 'customers/7')}}{{@key}}={{this}}{{/each}}", "id=7"),
  ]

  static let functions: [(String, String)] = [
    ("{{upper 'aä'}}{{lower 'AÄ'}}{{capitalize 'ab'}}{{trim ' a '}}", "AÄaäAba"),
    ("{{default request.query.q 'x'}}{{default request.query.page 'x'}}", "x2"),
    ("{{substring 'abcdef' 2}} {{substring 'abcdef' 1 3}} {{substring 'ab' 5}}", "cdef bc "),
    ("{{replace 'a-b-c' '-' '+'}}", "a+b+c"),
    ("{{join (split 'a,b' ',') ' '}} {{join request.query.tag '/'}}", "a b a/b"),
    // A line feed is found in CR LF, and a letter below its accent.
    (
      "{{size (split 'e\r\nb' '\n')}}{{contains 'e\r\nb' '\n'}}[{{replace 'e\r\nb' '\n' '-'}}]",
      "2true[e\r-b]"
    ),
    ("[{{cut 'a\r\nb' '\r'}}]{{#contains 'a\r\nb' '\n'}}yes{{/contains}}", "[a\nb]yes"),
    (
      "{{contains 'e\u{301}' 'e'}} {{contains 'e\u{301}' '\u{e9}'}} {{eq 'e\u{301}' '\u{e9}'}}",
      "true false false"
    ),
    (
      "{{contains (split '\u{e9},b' ',') 'e\u{301}'}} {{contains request.query.tag 'b'}}",
      "false true"
    ),
    ("{{replace 'aabaabaaab' 'aaab' '-'}} {{join (split 'aaaa' 'aa') '.'}}", "aabaab- .."),
    ("{{base64 'hi'}} {{base64 'aGk=' decode=true}}", "aGk= hi"),
    ("{{urlEncode 'a b&ä/~'}} {{urlEncode 'a+b%26' decode=true}}", "a+b%26%C3%A4%2F%7E a b&"),
    ("{{json request.json.items.0}}", #"{"id":1,"name":"cup"}"#),
    ("{{json request.json.name}}", #""Ä \"b\"""#),
    (
      "{{json (merge (captured 'customers/7') request.json.items.1 paid=true)}}",
      #"{"id":2,"name":"pot","paid":true}"#
    ),
    ("{{jsonPath request.json.items.0 '$.*'}}|{{jsonPath request.json '$.x'}}", #"[1,"cup"]|"#),
    ("{{size 'abc'}}{{size request.json.items}}{{size request.json.none}}", "320"),
    (
      "{{math 1 '+' 2}} {{math 7 '/' 2}} {{math 6 '/' 2}} {{math 7 '%' 4}} {{math '1.5' '*' 2}}",
      "3 3.5 3 3 3"
    ),
    ("{{math 9223372036854775807 '+' 1}}", "9223372036854775808"),
    // With 38 digits it is exact, beyond them it is rounded to 16.
    (
      "{{math '1234567890123456789' '*' '1234567890123456789'}}",
      "1524157875323883675019051998750190521"
    ),
    (
      "{{math '123456789012345678901' '*' '123456789012345678901'}}", "1.5241578753238838e+40"
    ),
    (
      "{{math '1000000000000000000000' '*' '-20000000000000000000'}}",
      "-20000000000000000000000000000000000000000"
    ),
    ("{{math '123456789012345678901234567891' '%' 7}} {{math '-0.5' '+' '0.5'}}", "1 0"),
    (
      "{{math '0.25' '+' '0.34'}} {{math '0.3' '-' '0.1'}} {{math '1.1' '*' '1.1'}}",
      "0.59 0.2 1.21"
    ),
    (
      "{{math 1 '/' 3}} {{math '-7' '%' 4}} {{math '5.5' '%' 2}} {{math 1 '/' 8}}",
      "0.3333333333333333 -3 1.5 0.125"
    ),
    (
      "{{math '1e30' '*' '1e30'}} {{math '0.00001' '/' 1}}",
      "1000000000000000000000000000000000000000000000000000000000000 0.00001"
    ),
    (
      "{{eq 1 1.0}}{{eq '1' 1}}{{neq 'a' 'b'}}{{gt 10 9}}{{gt '10' '9'}}{{lt 'a' 'b'}}{{gte 2 2}}{{lte 3 2}}",
      "truetruetruetruetruetruetruefalse"
    ),
    ("{{and 1 'a'}}{{and 1 ''}}{{or '' 0}}{{or 0 1}}{{not null}}", "truefalsefalsetruetrue"),
    (
      "{{contains 'abc' 'b'}}{{contains request.query.tag 'c'}}{{contains request.json 'name'}}",
      "truefalsetrue"
    ),
    ("{{now}}", "2026-11-21T08:00:00Z"),
    (
      "{{now offset='-24 seconds'}} {{now offset='3 days' format='yyyy-MM-dd'}}",
      "2026-11-21T07:59:36Z 2026-11-24"
    ),
    ("{{now offset='1 months' timezone='Europe/Berlin' format='dd.MM. HH:mm'}}", "21.12. 09:00"),
    ("{{now format='epoch'}} {{now format='unix'}}", "1795248000500 1795248000"),
    ("{{date 'Sat, 21 Nov 2026 08:00:00 GMT' offset='1 hours'}}", "2026-11-21T09:00:00Z"),
    ("{{counter}} {{counter 'abc'}} {{counter 'abc' from=100}}", "1 3 102"),
    ("{{size (randomValue length=8 type='HEXADECIMAL')}}", "8"),
    ("{{#if (contains (array 'a' 'b') (pickRandom 'a' 'b'))}}ok{{/if}}", "ok"),
    ("{{#if (and (gte (randomInt lower=3 upper=5) 3) (lt (randomDecimal) 1))}}ok{{/if}}", "ok"),
  ]

  @Test(arguments: language + functions)
  func aTemplateGivesItsText(_ text: String, _ expected: String) throws {
    #expect(try rendered(text) == expected)
  }

  static let errors: [(String, String)] = [
    (
      "a {{request.path",
      "\"{{\" is not closed; write \"}}\" after it, or \"\\{{\" for two braces (line 1, column 3)"
    ),
    ("a\nä {{nwo}}", "\"nwo\" is not known here; did you mean \"now\"? (line 2, column 5)"),
    (
      "{{request.qurey.a}}",
      "a request has no \"qurey\"; did you mean \"query\"? (line 1, column 3)"
    ),
    ("{{request}}", "what of the request? Write one part, such as request.path (line 1, column 3)"),
    ("{{uper 'a'}}", "\"uper\" is not a function; did you mean \"upper\"? (line 1, column 3)"),
    (
      "{{upper (uper 'a')}}",
      "\"uper\" is not a function; did you mean \"upper\"? (line 1, column 10)"
    ),
    ("{{upper}}", "\"upper\" takes 1 argument, not 0 (line 1, column 3)"),
    (
      "{{concat\(String(repeating: " 1", count: 65))}}",
      "\"concat\" takes 1 to 64 arguments, not 65 (line 1, column 3)"
    ),
    ("{{upper now}}", "\"now\" is a function; put the call in parentheses (line 1, column 9)"),
    (
      "{{now ofset='1 days'}}",
      "\"now\" has no argument \"ofset\"; did you mean \"offset\"? (line 1, column 7)"
    ),
    (
      "{{#if request.path}}a", "{{#if}} is not closed; write {{/if}} after it (line 1, column 1)"
    ),
    (
      "{{#if request.path}}a{{/each}}",
      "{{/each}} closes nothing: {{#if}} is open here (line 1, column 22)"
    ),
    ("a{{/if}}", "{{/if}} closes nothing: no block is open here (line 1, column 2)"),
    (
      "{{#ech request.json}}{{/ech}}",
      "unknown block \"ech\"; did you mean \"each\"? (line 1, column 4)"
    ),
    ("{{#if}}{{/if}}", "\"if\" needs a value, such as request.json.items (line 1, column 4)"),
    (
      "{{else}}",
      "{{else}} is allowed once inside {{#if}}, {{#unless}}, {{#each}}, {{#with}} or a condition (line 1, column 1)"
    ),
    (
      "{{#if request.path}}{{else}}{{else}}{{/if}}",
      "a second {{else}} in one block (line 1, column 29)"
    ),
    ("{{this}}", "\"this\" is for the inside of {{#each}} (line 1, column 3)"),
    (
      "{{#each request.json}}{{../a}}{{/each}}",
      "\"../\" is not known here; give the element around a name: {{#each list as |item|}} (line 1, column 25)"
    ),
    (
      "{{jsonPath request.body request.path}}",
      "the query of \"jsonPath\" must be a text in quotes, so that it can be checked (line 1, column 25)"
    ),
    (
      "{{request.path request.url}}",
      "\"request.url\" is one too many here; put a call inside another in parentheses (line 1, column 16)"
    ),
    ("{{}}", "there is nothing between the braces (line 1, column 1)"),
    ("{{math 1 '+' 2x}}", "\"2x\" is not a number; write a text in quotes (line 1, column 14)"),
    ("{{upper 'a}}", "the text that begins with ' has no end (line 1, column 9)"),
    (
      "{{#each request.json as |now|}}{{/each}}",
      "\"now\" already has a meaning; choose another name (line 1, column 26)"
    ),
  ]

  @Test(arguments: errors)
  func whatIsWrongIsSaidWithItsPlace(_ text: String, _ expected: String) {
    #expect(throws: TemplateError.self) { try Template(text) }
    do { _ = try Template(text) } catch { #expect(error.description == expected) }
  }

  static let failures: [(String, String)] = [
    ("a {{math 1 '/' 0}}", "\"math\": 1 / 0 has no value (line 1, column 5)"),
    ("{{math request.method '+' 1}}", "\"math\": \"POST\" is not a number (line 1, column 3)"),
    ("{{math '1e999' '+' 1}}", "\"math\": \"1e999\" is too large (line 1, column 3)"),
    ("{{math 1 '+' 'inf'}}", "\"math\": \"inf\" is not a number (line 1, column 3)"),
    (
      "{{#each request.method}}{{/each}}",
      "\"each\" goes over a list or an object, and this is neither (line 1, column 9)"
    ),
    (
      "{{date 'soon'}}",
      "\"date\": \"soon\" is not a date; write one such as 2026-11-21T08:00:00Z (line 1, column 3)"
    ),
    (
      "{{truncateDate '2026-11-21' 'soon'}}",
      "\"truncateDate\": \"soon\" is not a unit to truncate a date to; write one such as 'first hour of day' (line 1, column 3)"
    ),
    (
      "{{now offset='soon'}}",
      "\"now\": offset=\"soon\" is not an offset; write one such as '3 days' or '-24 seconds' (line 1, column 3)"
    ),
    (
      "{{now offset='1000000000 years' format='epoch'}}",
      "\"now\": offset=\"1000000000 years\" leads outside the years -9999 to 9999 (line 1, column 3)"
    ),
    (
      "{{now offset='-9223372036854775808 days'}}",
      "\"now\": offset=\"-9223372036854775808 days\" is not an offset; write one such as '3 days' or '-24 seconds' (line 1, column 3)"
    ),
    (
      "{{base64 '*' decode=true}}",
      "\"base64\": \"*\" is not the base64 form of a text (line 1, column 3)"
    ),
    (
      "{{randomInt lower=5 upper=5}}",
      "\"randomInt\": no integer is at least 5 and less than 5 (line 1, column 3)"
    ),
    ("{{range 1 9999999}}", "\"range\": a range has at most 100000 numbers (line 1, column 3)"),
  ]

  @Test(arguments: failures)
  func aValueThatDoesNotFitIsAnErrorWithItsPlace(_ text: String, _ expected: String) throws {
    let error = try #require(throws: TemplateError.self) { try rendered(text) }
    #expect(error.description == expected)
  }

  @Test(arguments: [
    "{{randomValue type='BOGUS' length=request.query.n}}", "{{math 1 'plus' 2}}",
    "{{date request.query.d timezone='Nowhere/X'}}", "{{upper (base64 '*' decode=true)}}",
    "{{#if request.query.x}}{{now offset='soon'}}{{/if}}",
  ])
  func aMistakeInWhatStandsInTheTemplateIsFoundWhenItIsRead(_ text: String) {
    #expect(throws: TemplateError.self) { try Template(text) }
  }

  @Test(arguments: [
    "{{randomInt lower=request.query.a upper=-5}}", "{{math request.query.a '/' 0}}",
    "{{date request.query.d timezone='Europe/Berlin' offset='3 days'}}",
    "{{jsonPath '[1]' '$[0]'}}", "{{counter 'a' from=5}}", "{{captured 'a'}}", "{{range 1 100000}}",
    "{{randomValue length=100000}}", "{{date '2026-11-21' format=request.query.f}}",
  ])
  func whatIsOnlyKnownLaterIsNoMistake(_ text: String) throws {
    _ = try Template(text)
  }

  @Test(arguments: [
    // Nested loops, and text that doubles.
    "{{#each (range 1 99999)}}{{#each (range 1 99999)}}{{this}}{{/each}}{{/each}}",
    "{{#each (range 1 1000)}}{{randomValue length=100000}}{{/each}}",
    "{{#each (array 'x')}}"
      + String(
        repeating: "{{#each (array (concat this this this this this this this this))}}", count: 30)
      + "{{this}}" + String(repeating: "{{/each}}", count: 31),
    // A single character, and levels, of many bytes.
    "{{size (rjust request.method size=100000 pad='e\(String(repeating: "\u{301}", count: 1_000))')}}",
    "{{size (formatJson '\(String(repeating: "[", count: 400))\(String(repeating: "1,", count: 100_000))1\(String(repeating: "]", count: 400))')}}",
    "{{#each (range 1 300)}}{{size (replace (randomValue length=100000) 'a' (randomValue length=100000))}}{{/each}}",
  ])
  func aTemplateThatCostsTooMuchIsStopped(_ text: String) {
    #expect(throws: TemplateError.self) { try rendered(text) }
  }

  @Test func depthIsBounded() {
    let blocks = String(repeating: "{{#if request.path}}", count: 40)
    #expect(throws: TemplateError.self) { try Template(blocks) }
    let calls = String(repeating: "(upper ", count: 10_000)
    #expect(throws: TemplateError.self) { try Template("{{upper \(calls)}}") }
  }

  @Test func chanceComesFromTheSurroundings() throws {
    let text = "{{uuid}} {{randomInt}} {{randomValue}} {{randomDecimal lower=1 upper=2}}"
    let first = try rendered(text)
    let other = StandInEnvironment()
    #expect(try rendered(text, other) == first)
    other.state = 2
    #expect(try rendered(text, other) != first)
    let uuid = String(first.prefix(36))
    #expect(UUID(uuidString: uuid)?.uuidString.lowercased() == uuid)
    #expect(Array(uuid)[14] == "4" && "89ab".contains(Array(uuid)[19]))
  }

  @Test func whatASurroundingPreparesIsKnownBefore() throws {
    let template = try Template(
      "{{counter 'a'}}{{#if (counter)}}{{jsonPath request.body '$.x'}}{{/if}}")
    #expect(template.needs.counters == ["", "a"])
    #expect(template.needs.queries.map(\.text) == ["$.x"])
    #expect(template.place(of: template.needs.queries[0]).column == 57)
  }

  @Test func aSoleJSONValueIsKnown() throws {
    var renderer = TemplateRenderer(StandInEnvironment())
    let call = try #require(try Template("{{json request.json.amount}}").soleJSON)
    #expect(try renderer.value(call) == .number("12.50"))
    #expect(try Template("{{request.json.amount}}").soleJSON == nil)
    #expect(try Template("{{json request.json}} ").soleJSON == nil)
  }

  @Test func aBlockStandsAlone() throws {
    let each = try TemplateBlock("{{#each request.json.items as |item|}}", names: .outside)
    let inner = try Template("{{item.name}} ", names: each.names)
    var renderer = TemplateRenderer(StandInEnvironment())
    var text = ""
    try renderer.forEach(each) { (renderer) throws(TemplateError) in
      text += try renderer.text(inner)
    }
    #expect(text == "cup pot ")
    #expect(try renderer.holds(TemplateBlock("{{#if request.path}}", names: .outside)))
    #expect(try !renderer.holds(TemplateBlock("{{#unless request.path}}", names: .outside)))
    #expect(throws: TemplateError.self) {
      try TemplateBlock("{{#if request.path}}x", names: .outside)
    }
  }
}
