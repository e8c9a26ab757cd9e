import Foundation
import StubDBJSON
import StubDBTestSupport
import Testing

/// The suite of JSON texts that parsers must accept (`y_`), must reject (`n_`), or may do either with (`i_`).
@Suite(.enabled(if: OfficialSuite.jsonParsing.isExpected, "get it with: scripts/fetch-suites"))
struct JSONParsingSuiteTests {
  /// Objects with duplicate names are rejected, since they are ambiguous.
  private static let duplicates: Set<String> = [
    "y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json",
  ]

  /// The optional texts that are accepted; lone surrogates, invalid UTF-8 and UTF-16 are rejected.
  private static let read: Set<String> = [
    "i_number_double_huge_neg_exp.json", "i_number_huge_exp.json", "i_number_neg_int_huge_exp.json",
    "i_number_pos_double_huge_exp.json", "i_number_real_neg_overflow.json",
    "i_number_real_pos_overflow.json", "i_number_real_underflow.json",
    "i_number_too_big_neg_int.json", "i_number_too_big_pos_int.json",
    "i_number_very_big_negative_int.json", "i_structure_500_nested_arrays.json",
    "i_structure_UTF-8_BOM_empty_object.json",
  ]

  @Test func everyTextIsReadOrRefusedAsTheSuiteSays() throws {
    let folder = try OfficialSuite.jsonParsing.folder().appendingPathComponent("test_parsing")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    #expect(files.count == 318)
    for file in files {
      let name = file.lastPathComponent
      let isRead = (try? JSONValue(parsing: Data(contentsOf: file))) != nil
      let shouldBeRead =
        name.hasPrefix("y_") && !Self.duplicates.contains(name) || Self.read.contains(name)
      #expect(isRead == shouldBeRead, "\(name)")
    }
  }
}
