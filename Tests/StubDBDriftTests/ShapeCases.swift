import StubDBDrift
import Testing

/// A row: what a stub has, what a server sends, and what that is.
struct ShapeCase: CustomTestStringConvertible, Sendable {
  var name: String
  var stored: String
  var live: String
  /// Lines such as `error missing /a`, in order; `inconclusive /a` for what is not known.
  var found: [String]
  var rules = ShapeRules()
  /// What the whole catalog has there.
  var known: String?

  var testDescription: String { name }

  private init(
    _ name: String, _ stored: String, _ live: String, _ found: [String],
    known: String? = nil, _ change: (inout ShapeRules) -> Void = { _ in }
  ) {
    (self.name, self.stored, self.live, self.found, self.known) = (name, stored, live, found, known)
    change(&rules)
  }

  static let all: [ShapeCase] = members + types + lists + texts

  static let members = [
    ShapeCase("a member is gone", #"{"a":1,"b":2}"#, #"{"a":1}"#, ["error missing /b"]),
    ShapeCase(
      "a member that only some had is gone", #"[{"a":1,"b":2},{"a":1}]"#, #"[{"a":1}]"#, []),
    ShapeCase(
      "an inner member is gone", #"{"items":[{"a/b":{"~":1}}]}"#, #"{"items":[{"a/b":{}}]}"#,
      ["error missing /items/*/a~1b/~0"]),
    ShapeCase(
      "a member is not always there", #"[{"a":1}]"#, #"[{"a":1},{}]"#, ["warning optional /*/a"]),
    ShapeCase("sometimes stays sometimes", #"[{"a":1},{}]"#, #"[{},{"a":1}]"#, []),
    ShapeCase("a member is new", #"{"a":1}"#, #"{"a":1,"b":1}"#, ["note added /b"]),
    ShapeCase("closed", #"{"a":1}"#, #"{"a":1,"b":1}"#, ["error added /b"]) { $0.isClosed = true },
    ShapeCase(
      "closed, but names vary", #"[{"a":1},{}]"#, #"[{"a":1,"b":1},{"b":2}]"#,
      ["note added /*/b"]
    ) { $0.isClosed = true },
    ShapeCase(
      "fifty new members", #"{"a":1}"#, object(names: 1...50),
      (1...50).map { "note added /new\($0)" }.sorted()),
    ShapeCase(
      "more new members are a map", #"{"a":1}"#, object(names: 1...51), ["note added /*"]),
    ShapeCase(
      "a long name may be data", #"{"a":1}"#,
      #"{"a":1,"\#(String(repeating: "n", count: 101))":1}"#, ["note added /*"]),
    ShapeCase(
      "ids as names", #"{"17":{"n":1}}"#, #"{"18":{"n":1},"19":{"n":2}}"#, []),
    ShapeCase(
      "values below ids", #"{"17":{"n":1,"m":1}}"#, #"{"18":{"n":"x"}}"#,
      ["error missing /*/m", "error type /*/n"]),
    ShapeCase(
      "UUIDs as names", #"{"0F6A1B1C-58B9-4E0C-9C5D-1A2B3C4D5E6F":1}"#,
      #"{"11111111-58B9-4E0C-9C5D-1A2B3C4D5E6F":1}"#, []),
    ShapeCase("addresses as names", #"{"bob@a.test":1}"#, #"{"ada@a.test":2,"eve@a.test":3}"#, []),
    ShapeCase(
      "a new name that is an id is not told", #"{"a":1}"#, #"{"a":1,"9f8e7d6c5b4a":1}"#,
      ["note added /*"]),
    ShapeCase(
      "one name is no id", #"{"17":1,"total":1}"#, #"{"18":1,"total":1}"#,
      ["error missing /17", "note added /*"]),
  ]

  static let types = [
    ShapeCase("another type", #"{"a":"1"}"#, #"{"a":1}"#, ["error type /a"]),
    ShapeCase("a fraction for an integer", #"{"a":1}"#, #"{"a":1.5}"#, ["error type /a"]),
    ShapeCase("1.0 is an integer", #"{"a":1}"#, #"{"a":1.0}"#, []),
    ShapeCase("an integer for a fraction", #"{"a":1.5}"#, #"{"a":1}"#, []),
    ShapeCase("a fraction among integers", "[1,2]", "[1,2.5]", ["error type /*"]),
    ShapeCase("a further type", #"["a"]"#, #"["a",1]"#, ["warning type /*"]),
    ShapeCase("one of several types", #"["a",1]"#, #"[1]"#, []),
    ShapeCase("an object for a list", #"{"a":[]}"#, #"{"a":{}}"#, ["error type /a"]),
    ShapeCase("the top", "[]", "{}", ["error type "]),
    ShapeCase("null is new", #"{"a":"x"}"#, #"{"a":null}"#, ["warning null /a"]),
    ShapeCase("null is new, strictly", #"{"a":"x"}"#, #"{"a":null}"#, ["error null /a"]) {
      $0.isStrict = true
    },
    ShapeCase("null among others", #"[1]"#, "[1,null]", ["warning null /*"]),
    ShapeCase("null was there", "[1,null]", "[null]", []),
    ShapeCase("null is gone", "[1,null]", "[1]", []),
    ShapeCase("only null", #"{"a":null}"#, #"{"a":"x"}"#, ["inconclusive /a"]),
  ]

  static let lists = [
    ShapeCase("the length", "[1,2,3]", "[4]", []),
    ShapeCase("the live list is empty", #"{"a":[1]}"#, #"{"a":[]}"#, ["inconclusive /a/*"]),
    ShapeCase("the list of the stub is empty", #"{"a":[]}"#, #"{"a":[1]}"#, ["inconclusive /a/*"]),
    ShapeCase("both are empty", "[]", "[]", []),
    ShapeCase("lists in lists", "[[1],[]]", #"[["x"]]"#, ["error type /*/*"]),
  ]

  static let texts = [
    ShapeCase("an enumeration grew", #"{"s":"PAID"}"#, #"{"s":"REFUNDED"}"#, ["warning enum /s"]),
    ShapeCase("a constant that is known", #"{"s":"PAID"}"#, #"{"s":"PAID"}"#, []),
    ShapeCase(
      "known from another stub", #"{"s":"PAID"}"#, #"{"s":"OPEN"}"#, [],
      known: #"{"s":"OPEN"}"#),
    ShapeCase("small letters", #"["open","paid"]"#, #"["part-paid"]"#, ["warning enum /*"]),
    ShapeCase("twelve letters", #"["abcdefghijkl"]"#, #"["other"]"#, ["warning enum /*"]),
    ShapeCase("thirteen letters", #"["abcdefghijklm"]"#, #"["other"]"#, []),
    ShapeCase("one capital", #"["A"]"#, #"["B"]"#, []),
    ShapeCase(
      "eight constants", #"["aa","ab","ac","ad","ae","af","ag","ah"]"#, #"["zz"]"#,
      ["warning enum /*"]),
    ShapeCase(
      "nine constants", #"["aa","ab","ac","ad","ae","af","ag","ah","ai"]"#, #"["zz"]"#, []),
    ShapeCase(
      "nine in the catalog", #"["aa"]"#, #"["zz"]"#, [],
      known: #"["aa","ab","ac","ad","ae","af","ag","ah","ai"]"#),
    ShapeCase("prose is no constant", #"{"s":"paid"}"#, #"{"s":"It was paid."}"#, []),
    ShapeCase("a text is no constant", #"{"s":"Ada Lovelace"}"#, #"{"s":"PAID"}"#, []),
    ShapeCase(
      "the name says that it is a time", #"{"createdAt":"2026-11-21T09:30:00Z"}"#,
      #"{"createdAt":"yesterday"}"#, ["warning class /createdAt"]),
    ShapeCase(
      "one time says nothing", #"{"x":"2026-11-21T09:30:00Z"}"#, #"{"x":"yesterday"}"#, []),
    ShapeCase(
      "two times do", #"["2026-11-21T09:30:00Z","2026-11-21T09:30:00+01:00"]"#,
      #"["2026-11-21"]"#, ["warning class /*"]),
    ShapeCase("two days", #"["2026-11-21","2026-11-22"]"#, #"["2026-11-23"]"#, []),
    ShapeCase("no day", #"["2026-11-21","2026-13-22"]"#, #"["x y"]"#, []),
    ShapeCase(
      "UUIDs", #"{"id":"0F6A1B1C-58B9-4E0C-9C5D-1A2B3C4D5E6F"}"#, #"{"id":"17"}"#,
      ["warning class /id"]),
    ShapeCase(
      "addresses", #"{"email":"ada@shop.test","url":"https://shop.test/a"}"#,
      #"{"email":"ada","url":"/a"}"#, ["warning class /email", "warning class /url"]),
    ShapeCase("digits", #"["1","22"]"#, #"["3","x1"]"#, ["warning class /*"]),
    ShapeCase("a text may become a class", #"["a b","c d"]"#, #"["1"]"#, []),
  ]

  /// An object with the member `a` and others.
  private static func object(names: ClosedRange<Int>) -> String {
    "{\"a\":1" + names.map { ",\"new\($0)\":1" }.joined() + "}"
  }
}
