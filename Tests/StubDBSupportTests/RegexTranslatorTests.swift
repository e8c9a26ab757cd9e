import StubDBSupport
import StubDBTestSupport
import Testing

/// The verdicts of `java.util.regex` (Java 21, `DOTALL`, `matches()`), and the matches of ECMAScript.
@Suite struct RegexTranslatorTests {
  /// Expression, values that it matches, values that it does not.
  static let java: [(String, yes: [String], no: [String])] = [
    // Classes are ASCII.
    (#"\d+"#, ["0129"], ["٣", "५", "a"]), (#"\D"#, ["٣", "a"], ["5"]),
    (#"\w+"#, ["aZ_0"], ["é", "ж", "-"]), (#"\W"#, ["é", "-"], ["a", "_"]),
    (#"\s"#, [" ", "\t", "\n", "\u{B}", "\u{C}", "\r"], ["\u{A0}", "\u{2003}", "\u{85}"]),
    (#"\S"#, ["\u{A0}", "a"], [" "]), (#"\h"#, [" ", "\u{A0}", "\u{2003}"], ["\n"]),
    (#"\v"#, ["\n", "\u{85}", "\u{2028}"], [" ", "v"]), (#"\V\H"#, ["av"], ["\nv", "a "]),
    (#"[\d\-]+"#, ["1-2"], ["٣"]), (#"[^\d]"#, ["٣"], ["3"]), (#"[\W]"#, ["é"], ["e"]),
    (#"\p{Alpha}+"#, ["aZ"], ["é", "1"]), (#"\p{Alnum}"#, ["a", "1"], ["é", "_"]),
    (#"\p{Digit}"#, ["1"], ["٣"]), (#"\p{Lower}"#, ["a"], ["A", "é"]),
    (#"\p{Upper}"#, ["A"], ["a", "É"]), (#"\p{Space}"#, [" "], ["\u{A0}"]),
    (#"\p{Graph}"#, ["!", "~", "a"], [" ", "é"]), (#"\p{Print}"#, [" ", "~"], ["\t", "é"]),
    (#"\p{Punct}+"#, [##"!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~"##], ["a", "§", "«"]),
    (#"\p{Blank}"#, [" ", "\t"], ["\u{A0}", "\n"]), (#"\p{Cntrl}"#, ["\u{1}"], ["\u{85}"]),
    (#"\p{XDigit}+"#, ["09afAF"], ["g", "０"]), (#"\p{ASCII}"#, ["a"], ["é"]),
    (#"\P{Alpha}"#, ["é", "1"], ["a"]), (#"[\p{Punct}&&[^-]]"#, ["+"], ["-"]),
    (#"\p{L}\pL\PL"#, ["éж1"], ["é11"]), (#"\p{IsLatin}"#, ["é"], ["ж"]),
    (#"\p{Lu}"#, ["É"], ["é"]),
    (#"\bfoo\b.*"#, ["foo é", "foo-"], ["food"]), (#"caf\bé"#, ["café"], ["cafe"]),
    (#"a\Bb"#, ["ab"], ["a-b"]),
    // Unicode if the expression requests it.
    (#"(?U)\d\w\s"#, ["٣é\u{A0}"], ["a--"]), (#"(?U)\p{Alpha}\p{Lower}"#, ["éé"], ["1é"]),
    (#"(?U:\d)\d"#, ["٣3"], ["٣٣"]), (#"(?U)\p{Punct}"#, ["«", "!"], ["$", "+"]),
    (#"(?U)caf\bé"#, [], ["café"]),
    // Case.
    ("(?i)aé", ["aé", "Aé"], ["AÉ"]), ("(?iu)aé", ["AÉ"], ["be"]),
    ("(?iu)ß", ["ß", "ẞ"], ["SS", "ss"]),
    ("(?i)[a-f]+", ["aF"], ["g", "G"]), ("(?i)[^a]", ["b", "é"], ["a", "A"]),
    ("(?iu)[^é]", ["e"], ["é", "É"]), ("(?i)k", ["K"], ["\u{212A}"]), ("(?iu)k", ["\u{212A}"], []),
    ("(?i:a)b", ["Ab"], ["AB"]), ("a(?i)b|c", ["aB", "C"], ["AB"]), ("(a(?i)b)c", ["aBc"], ["aBC"]),
    (#"(?i)(a)\1"#, ["aA"], ["ab"]), (#"(?i)\p{Lower}\p{Lu}"#, ["Aa", "aA"], ["1a"]),
    // Sets.
    ("[a-z--[b]]+", ["ab-"], ["A"]), ("[[:alpha:]]+", ["alph:"], ["b", "z"]),
    ("[a-c[x-z]]+", ["ax"], ["d"]),
    ("[a-z&&[^b]]", ["a"], ["b"]), ("[a-z&&[^m-p]&&[^b]]", ["a"], ["b", "n"]),
    ("[a-z&&def]", ["d"], ["a"]),
    ("[^a-z&&[^b]]", ["b", "1"], ["a"]), ("[]a]+", ["]a"], ["b"]), ("[^]a]", ["b"], ["]"]),
    ("[a&b]+", ["a&b"], ["c"]), ("[-a]+", ["-a"], ["b"]), ("[a-]+", ["a-"], ["b"]),
    (#"[\w-z]+"#, ["a-z"], ["+"]),
    (#"[\Q^-]\E]+"#, ["^-]"], ["a"]), (#"[\]\[\\]+"#, ["[]\\"], ["a"]), ("[$.*]+", ["$.*"], ["a"]),
    (#"[\x41-\x{43}\u0044]+"#, ["ABCD"], ["E"]), ("[é]", ["é"], ["e"]),
    ("[|(){}?]+", ["|(){}?"], ["a"]),
    // Literals and escapes.
    (#"\{.*}"#, [#"{"a":1}"#, "{\n}"], ["{"]), ("a}b]", ["a}b]"], ["ab"]),
    (#"\Qa.b*\E+"#, ["a.b**"], ["aab"]),
    (#"\Qa.b"#, ["a.b"], ["axb"]), (#"\Q\E"#, [""], ["a"]),
    (#"\t\x41\u00e9\x{1F600}"#, ["\tAé😀"], ["tAé😀"]),
    (#"\uD83D\uDE00"#, ["😀"], [""]), (#"\0101\cA\a\e"#, ["A\u{1}\u{7}\u{1B}"], ["A"]),
    (#"\.\-\/\:"#, [".-/:"], ["a"]),
    ("a#b c", ["a#b c"], ["a"]), ("(?x)a b # c\n d", ["abd"], ["a b"]), ("(?x)[a b]", ["a"], [" "]),
    // Groups and repetition.
    ("(a)(?<n>b)\\1\\k<n>", ["abab"], ["abba"]), (#"(a)\2"#, [], ["a", "aa"]),
    (#"(a)\10"#, ["aa0"], ["a"]),
    ("a++b", ["aab"], ["b"]), ("a*+a", [], ["aa"]), ("(?>a|ab)c", ["ac"], ["abc"]),
    ("a{2}b{1,}?c{0,2}", ["aab"], ["ab"]),
    ("(?=a).(?!b).", ["ac"], ["ab"]), ("(?<=a)b|a(?<!b)", ["a"], ["b"]),
    (".*", ["a\n\u{2028}b"], []),
    // A dot is one character, so CR LF takes two.
    ("a.b", ["a\rb", "a\nb", "a😀b"], ["a\r\nb"]), ("a..b", ["a\r\nb"], ["a\nb", "a😀b"]),
    ("a.{2}b", ["a\r\nb"], ["a\nb"]), (".*\n.+", ["a\r\nb"], ["a\rb", "a\r\n"]),
    ("(?-s)a(?s:.).b", ["a\rxb"], ["a\r\nb"]), ("a(?-s:.).b", ["ax\nb"], ["a\r\nb"]),
    ("(?-s)a(?s)..b", ["a\r\nb"], ["a\nb"]), ("[.]", ["."], ["a", "\r\n"]),
    ("(?d-s).", ["\r"], ["\n", "\r\n"]),
    ("(?-s).", ["a", "\u{C}"], ["\n", "\r", "\u{85}"]), ("(?-s:.)", ["a"], ["\n"]),
    ("(?m)a$\nb", ["a\nb"], ["ab"]),
    ("a|b", ["a", "b"], ["ab"]), ("^a$", ["a"], ["b"]), (#"\Aa\z"#, ["a"], ["b"]),
    (#"\R"#, ["\r\n", "\n"], ["a"]),
    ("", [""], ["a"]), ("(?i)", [""], ["a"]), ("é+", ["éé"], ["e"]),
  ]

  @Test(arguments: java)
  func javaMeansTheSame(_ pattern: String, yes: [String], no: [String]) throws {
    let regex = try BoundedRegex(pattern, dialect: .java, isWhole: true)
    for value in yes {
      #expect(regex.isFound(in: value, steps: 100).verdict == true, "\(pattern) matches \(value)")
    }
    for value in no {
      #expect(regex.isFound(in: value, steps: 100).verdict == false, "\(pattern) refuses \(value)")
    }
  }

  static let refused: [(String, String)] = [
    ("a)", "a ')' that closes nothing at character 2"),
    ("(a", "a '(' that is not closed at character 1"),
    ("[a", "a '[' that is not closed at character 1"),
    ("*a", "a '*' that repeats nothing at character 1"),
    ("a**", "a '*' that repeats nothing at character 3"),
    ("a{,3}", "a '{' that begins no repetition; write \\{ at character 2"),
    ("{a}", "a '{' that begins no repetition; write \\{ at character 1"),
    ("a{3,2}", "a repetition whose minimum is above its maximum or too large at character 2"),
    (#"\y"#, "\\y is not an escape of Java's regular expressions at character 1"),
    (#"a\K"#, "\\K is not an escape of Java's regular expressions at character 2"),
    (#"[\b]"#, "\\b means nothing inside a set at character 2"),
    (#"\b{g}"#, "\\b{g} is not supported at character 1"),
    (#"a\"#, "a '\\' at the end at character 2"),
    ("(?#a)", "a group that does not exist; its first sign is '?#' at character 1"),
    ("(?w)a", "a group that does not exist; its first sign is '?w' at character 1"),
    ("(?P<n>a)", "a group that Java does not know; write (?<name>…) at character 1"),
    ("[z-a]", "a range whose end comes before its beginning at character 2"),
    (#"\p{alpha}"#, "unknown class alpha; write \\p{Alpha} at character 1"),
    (#"\p{Alpha"#, "the name of a class that is not closed at character 1"),
    (#"\xZZ"#, "\\x does not name a character at character 1"),
    (#"\uD800"#, "\\uD800 does not name a character at character 1"),
    (
      "(?<=a+)b",
      "a look-behind that may be endless; give it a bound, such as {0,100}, at character 6"
    ),
    (#"\p{Nonsense}"#, "ICU, which runs it, refuses it"),
  ]

  @Test(arguments: refused)
  func whatIsNoExpressionIsRefusedWithReasonAndPlace(_ pattern: String, _ reason: String) {
    let error = #expect(throws: RegexSyntaxError.self) {
      try BoundedRegex(pattern, dialect: .java, isWhole: true)
    }
    #expect(error?.description == reason)
  }

  /// Expression, texts that contain a match, texts that do not.
  static let ecmaScript: [(String, yes: [String], no: [String])] = [
    (#"^\d$"#, ["1"], ["৪"]), (#"^\D$"#, ["৪"], ["1"]), (#"^\w$"#, ["a"], ["é"]),
    (#"^\W$"#, ["é"], ["a"]),
    (#"^\s+$"#, ["\u{FEFF}\u{2029}\u{2003}\u{A0}\t"], ["\u{85}", "a"]),
    (#"^\S$"#, ["\u{85}"], ["\u{FEFF}"]),
    ("^abc$", ["abc"], ["abc\n"]), ("a.c", ["a\u{85}c"], ["a\nc", "a\u{2028}c"]),
    (#"^\cC$"#, ["\u{3}"], ["C"]),
    ("[[]", ["["], ["]"]), ("[]", [], ["a", ""]), ("[^]", ["\n"], [""]),
    ("a[^]b", ["a\nb"], ["a\r\nb"]),
    ("[a&&b]", ["&"], ["c"]),
    (#"[\b]"#, ["\u{8}"], ["b"]),
    (#"\u{1F600}\0"#, ["😀\0"], ["😀"]), (#"\p{Letter}cole"#, ["école"], ["1cole"]),
    ("^{}$", ["{}"], ["{"]),
    ("(?<year>\\d{4})-\\k<year>", ["2026-2026"], ["2026-2025"]), (#"^\/\-$"#, ["/-"], ["a"]),
    ("^🐲*$", ["", "🐲🐲"], ["🐉"]),
  ]

  @Test(arguments: ecmaScript)
  func schemasMeanECMAScript(_ pattern: String, yes: [String], no: [String]) throws {
    let regex = try BoundedRegex(pattern, dialect: .ecmaScript, isWhole: false)
    for value in yes {
      #expect(regex.isFound(in: value, steps: 100).verdict == true, "\(pattern) is in \(value)")
    }
    for value in no {
      #expect(
        regex.isFound(in: value, steps: 100).verdict == false, "\(pattern) is not in \(value)")
    }
  }

  @Test func anyTextIsTranslatedOrRefused() {
    let seed = UInt64.random(in: 0...999_999)
    var generator = SeededRandom(seed: seed)
    let pieces = Array(#"\()[]{}^$.|?*+-&:<>=!#PQEUixsdwbpk012,aéz "#)
    for number in 0..<2_000 {
      let pattern = String(
        (0..<Int.random(in: 1...12, using: &generator)).compactMap { _ in
          pieces.randomElement(using: &generator)
        })
      for dialect in [RegexTranslator.Dialect.java, .ecmaScript] {
        do throws(RegexSyntaxError) {
          // Compiling takes longer than translating.
          if number % 10 == 0 {
            _ = try BoundedRegex(pattern, dialect: dialect, isWhole: dialect == .java)
          } else {
            _ = try RegexTranslator.translate(pattern, from: dialect)
          }
        } catch {
          let place = error.offset ?? 0
          #expect(
            (0...pattern.unicodeScalars.count).contains(place), "seed \(seed): \(pattern): \(error)"
          )
        }
      }
    }
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: RegexSyntaxError.self) { try BoundedRegex(deep, dialect: .java, isWhole: true) }
  }
}
