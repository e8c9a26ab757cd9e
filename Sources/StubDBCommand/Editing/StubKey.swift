import StubDBModel

/// Derives keys for stubs that were given none.
enum StubKey {
  /// A key such as `get-v1-charges` for `GET /v1/charges`.
  static func derived(from request: RequestPattern) -> String {
    var words = request.methods.count == 1 ? [request.methods[0]] : ["any"]
    if case .template(let path) = request.path {
      words += path.split(separator: "/").map(String.init)
    }
    var key = ""
    for scalar in words.joined(separator: "-").lowercased().unicodeScalars {
      let isPlain =
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      if isPlain || scalar == "." || scalar == "_" {
        key.unicodeScalars.append(scalar)
      } else if key.last != "-" {
        key += "-"
      }
    }
    while key.last == "-" { key.removeLast() }
    return String(key.prefix(80))
  }

  /// The key, with `-2`, `-3` and so on if it is taken.
  static func unique(_ key: String, among taken: some Sequence<String>) -> String {
    let taken = Set(taken)
    guard taken.contains(key) else { return key }
    var number = 2
    while taken.contains("\(key)-\(number)") { number += 1 }
    return "\(key)-\(number)"
  }
}
