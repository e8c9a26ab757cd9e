import Foundation
import StubDBTemplates
import Testing

/// WireMock's helpers, with examples from its tests and its documentation.
@Suite struct WireMockHelperTests {
  static let values: [(String, String)] = [
    ("{{request.query.tag.first}}{{request.query.tag.last}}{{request.query.tag.[-1]}}", "aba"),
    ("{{request.query.tag.[-2]}}|{{request.query.tag.9}}", "|"),
    ("{{lookup request.json 'items.1.name'}}{{lookup request.json 'name'}}", "potÄ \"b\""),
    ("{{request.requestLine.method}}", "POST"),
    ("{{contains 'abcde' request.query.nope}}{{contains request.query.nope 'a'}}", "falsefalse"),
    ("{{capitalize 'some text'}} {{capitalizeFirst 'some text'}}", "Some Text Some text"),
  ]

  static let forms: [(String, String)] = [
    ("{{#eq 1 1}}a{{else}}b{{/eq}}{{#eq 1 2}}a{{else}}b{{/eq}}", "ab"),
    ("{{#contains 'abc' 'b'}}yes{{/contains}}{{#and 1 0}}x{{else if true}}y{{/and}}", "yesy"),
    ("{{#matches '123' '[0-9]+'}}number{{else}}no{{/matches}}", "number"),
    ("{{matches '123' '[0-9]+'}}{{matches 'a1' '[0-9]+' yes='y' no='n'}}", "truen"),
    ("{{eq 1 1 yes='y' no='n'}}{{eq 1 2 yes='y' no='n'}}{{gt 1 2 no='n'}}{{not 0 yes=1}}", "ynn1"),
    ("{{#trim}}  a {{request.method}} {{/trim}}|{{#upper}}a{{/upper}}", "a POST|A"),
    ("{{#base64}}hi{{/base64}} {{#base64 decode=true}}aGk{{/base64}}", "aGk= hi"),
    ("{{base64 'hi' padding=false}} {{base64 'aGk' decode=true}}", "aGk hi"),
    ("{{#urlEncode}}a b{{/urlEncode}}", "a+b"),
    ("{{#with request.json.items.0}}{{name}} {{this.id}}{{/with}}", "cup 1"),
    ("{{#with request.json.items.0 as |item|}}{{item.name}}{{/with}}", "cup"),
    ("{{#with request.json.none}}a{{else}}b{{/with}}", "b"),
    ("{{#assign 'x'}}a{{request.method}}{{/assign}}[{{x}}]{{upper x}}", "[aPOST]APOST"),
    ("{{#each (array 1 2)}}{{#assign 'x'}}{{this}}{{/assign}}{{/each}}{{x}}", "2"),
    ("{{val request.query.page assign='p'}}{{p}} {{val request.query.q or='none'}}", "2 none"),
    (
      "{{parseJson '{\"a\":{\"b\":[1,2]}}' 'v'}}{{v.a.b.1}} {{lookup (parseJson '{\"a\":3}') 'a'}}",
      "2 3"
    ),
    ("{{#parseJson 'v'}}{\"m\":\"{{request.method}}\"}{{/parseJson}}{{v.m}}", "POST"),
    ("{{formData 'a=1&b=x+y%21&a=2' 'f' urlDecode=true}}{{f.a.1}} {{f.b}}", "2 x y!"),
    ("{{formData 'b=x+y%21' 'f'}}{{f.b}}", "x+y%21"),
    (
      "{{regexExtract 'ab-CD-12' '[A-Z]+'}}|{{regexExtract 'x' '[A-Z]+' default='none'}}", "CD|none"
    ),
    (
      "{{regexExtract 'ab-CD-12' '([a-z]+)-([A-Z]+)-([0-9]+)' 'p'}}{{p.0}},{{p.1}},{{p.2}}",
      "ab,CD,12"
    ),
    ("{{regexExtract 'x' '[A-Z]+'}}", ""),
    (
      #"{{regexExtract 'a12.' '\d+'}} {{matches '12' '\\d+'}} {{matches 'dd' '\d+'}}"#,
      "12 true false"
    ),
    (#"{{concat 'a\.b\\c' "\"" '\''}}"#, #"a\.b\c"'"#),
    ("{{xPath '<a/>' '/a/text()'}} {{xPath '<a/>' '/none' default='d'}}", "/a/text() d"),
    ("{{soapXPath '<a/>' '/x'}}", "/*[local-name()='Envelope']/*[local-name()='Body']/x"),
    ("{{xPath 'no' '/a' default='d'}}{{xPath request.query.nope '/a'}}", "d"),
    ("{{jsonPath request.query.nope '$.a' default='d'}}{{jsonPath 'x' '$.a' default='e'}}", "de"),
  ]

  static let lists: [(String, String)] = [
    ("{{arrayAdd (array 1 3) 4}} {{arrayAdd (array 1 3) 2 position=1}}", "[1,3,4] [1,2,3]"),
    ("{{arrayAdd (array 1) 0 position='start'}} {{arrayAdd request.query.nope 1}}", "[0,1] [1]"),
    ("{{arrayRemove (array 1 2 3)}} {{arrayRemove (array 1 2 3) position=0}}", "[1,2] [2,3]"),
    ("{{arrayJoin ',' (array 'a' 'b') prefix='[' suffix=']'}}", "[a,b]"),
    ("{{#arrayJoin ', ' request.json.items as |item|}}{{item.name}}{{/arrayJoin}}", "cup, pot"),
    ("{{join 'a' 'b' 'c' '-'}}", "a-b-c"),
    ("{{size (pickRandom 1 2 3 count=2)}} {{size (pickRandom 1 2 count=9)}}", "2 2"),
    ("{{toJson (array 1 'a')}}", #"[1,"a"]"#),
    (
      "{{formatJson '{\"a\":[1,{}],\"b\":\"c\"}'}}",
      "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": \"c\"\n}"
    ),
    ("{{formatJson '{ \"a\" : 1 }' format='compact'}}", #"{"a":1}"#),
    (
      "{{#formatJson format='compact'}}{ \"a\" : \"{{request.method}}\" }{{/formatJson}}",
      #"{"a":"POST"}"#
    ),
    (
      "{{#formatXml}}<?xml version='1.0'?><a x='>'> <b/><!-- c --><d>e <f>g</f> </d>\n<h>\n</h></a>{{/formatXml}}",
      """
      <?xml version='1.0'?>
      <a x='>'>
        <b/>
        <!-- c -->
        <d>e <f>g</f> </d>
        <h></h>
      </a>
      """
    ),
    (
      "{{formatXml '<a>\n <b>c</b>\n <![CDATA[]]></a>' format='compact'}}",
      "<a>\n <b>c</b>\n <![CDATA[]]></a>"
    ),
    ("{{formatXml '<a>\n <b> c </b>\n </a>' format='compact'}}", "<a><b> c </b></a>"),
    (
      "{{jsonMerge '{\"a\":{\"b\":1},\"c\":2}' '{\"a\":{\"d\":3},\"c\":null}'}}",
      #"{"a":{"b":1,"d":3},"c":null}"#
    ),
    ("{{jsonMerge '{\"a\":1}' '{\"a\":null}' removeNulls=true}}", "{}"),
    ("{{#jsonMerge request.json.items.0}}{\"x\":1}{{/jsonMerge}}", #"{"id":1,"name":"cup","x":1}"#),
    ("{{jsonRemove '{\"a\":1,\"b\":2}' '$.a'}}", #"{"b":2}"#),
    (
      "{{jsonArrayAdd '[1]' '2'}} {{#jsonArrayAdd '[1,2]' maxItems=2}}3{{/jsonArrayAdd}}",
      "[1,2] [2,3]"
    ),
    ("{{jsonArrayAdd '[1]' '[2,3]' flatten=true}}", "[1,2,3]"),
  ]

  static let texts: [(String, String)] = [
    (
      "{{cut 'a-b-c' '-'}} {{defaultIfEmpty '' 'x'}} {{slugify 'Joel is a Slug!'}}",
      "abc x joel-is-a-slug"
    ),
    ("{{stripTags '<b>a</b> 1 < 2'}} {{abbreviate 'abcdefgh' 6}}", "a 1 < 2 abc..."),
    (
      "{{center 'a' size=4 pad='*'}} {{ljust 'a' size=3 pad='-'}} {{rjust 'a' size=3 pad='0'}}",
      "*a** a-- 00a"
    ),
    ("{{yesno true}}{{yesno false no='n'}}{{yesno request.query.nope}}", "yesnmaybe"),
    ("{{parseDate '21/11/2026' format='dd/MM/yyyy'}}", "2026-11-21T00:00:00Z"),
    ("{{date (parseDate '1795248000' format='unix') offset='-1 days'}}", "2026-11-20T08:00:00Z"),
    ("{{truncateDate '2026-11-21T08:30:00Z' 'first hour of day'}}", "2026-11-21T00:00:00Z"),
    (
      "{{now format='u'}} {{now format=\"uu 'u'\"}} {{date offset='1 days' format='u'}}", "6 06 u 7"
    ),
  ]

  @Test(arguments: values + forms + lists + texts)
  func aHelperGivesItsText(_ text: String, _ expected: String) throws {
    #expect(try rendered(text) == expected)
  }

  static let errors: [(String, String)] = [
    ("{{x}}{{#assign 'x'}}a{{/assign}}", "\"x\" is not known here"),
    (
      "{{#assign request.path}}a{{/assign}}",
      "the name that \"assign\" gives the value must be a text in quotes, of letters and digits"
    ),
    ("{{#assign 'now'}}a{{/assign}}", "\"now\" already has a meaning; choose another name"),
    ("{{#size 'a'}}b{{/size}}", "\"size\" opens no block; write {{size …}}"),
    (
      "{{#trim}}a{{else}}b{{/trim}}",
      "{{else}} is allowed once inside {{#if}}, {{#unless}}, {{#each}}, {{#with}} or a condition"
    ),
    ("{{#trim 'x'}}a{{/trim}}", "\"trim\" takes 1 argument, not 2"),
    (
      "{{matches 'a' request.path}}",
      "the expression of \"matches\" must be a text in quotes, so that it can be checked"
    ),
    (
      "{{hostname}}",
      "\"hostname\" is not known here: a scenario says the same on every machine; write the name"
    ),
    (
      "{{systemValue key='x'}}",
      "\"systemValue\" is not a function here: a scenario says the same on every machine; write the value"
    ),
    (
      "{{request.clientIp}}",
      "a request has no \"clientIp\"; a client in its own process has no address"
    ),
    ("{{parameters.x}}", "\"parameters\" is not known here: write the value itself"),
    ("{{xyzzyx 1}}", "\"xyzzyx\" is not a function; docs/templates.md lists them"),
    ("{{arayJoin ',' x}}", "\"arayJoin\" is not a function; did you mean \"arrayJoin\"?"),
    (
      "{{arrayAd request.path 1}}",
      "\"arrayAd\" is not a function; did you mean \"arrayAdd\" or \"array\"?"
    ),
    ("{{formatJson 'x'}}", "\"formatJson\": \"x\" is not JSON"),
    ("{{formatXml '<a><b></a>'}}", "\"formatXml\": \"<a><b></a>\" is not XML"),
    ("{{formatXml 'x'}}", "\"formatXml\": \"x\" is not XML"),
    ("{{jsonPath 'x' '$.a'}}", "\"jsonPath\": \"x\" is not JSON; give a default="),
    ("{{xPath 'x' '/a'}}", "\"xPath\": \"x\" is not XML; give a default="),
    (
      "{{jsonPath request.json '$.slow' default='x'}}",
      "\"jsonPath\": the query takes too long"
    ),
    ("{{xPath '<a/>' '/slow' default='x'}}", "\"xPath\": the expression takes too long"),
    (
      "{{regexExtract 'a' '(slow)' default='x'}}",
      "\"regexExtract\": the expression takes too long"
    ),
  ]

  @Test(arguments: errors)
  func whatIsWrongIsSaid(_ text: String, _ expected: String) {
    let error = #expect(throws: TemplateError.self) { try rendered(text) }
    #expect(error?.message.hasPrefix(expected) == true, "\(error?.message ?? "")")
  }

  @Test func namesHoldInOneTextOnly() throws {
    var renderer = TemplateRenderer(StandInEnvironment())
    #expect(try renderer.text(Template("{{#assign 'x'}}1{{/assign}}{{x}}")) == "1")
    #expect(throws: TemplateError.self) { try Template("{{x}}") }
    #expect(throws: TemplateError.self) { try TemplateBlock("{{#trim}}", names: .outside) }
    #expect(try TemplateBlock("{{#eq request.path 1}}", names: .outside).kind == .condition)
  }
}
