/// An option for one value that is given twice, of which the argument parser would silently take the last.
enum RepeatedOption {
  /// The error for the first such option; nil if there is none.
  static func failure(in path: CommandPath) -> UsageError? {
    let words = path.rest.prefix { $0 != "--" }
    // Describing a command takes longer than running it, and most calls repeat nothing. A short name may stand for any
    // long one.
    let names = words.filter { $0.hasPrefix("-") && $0.count > 1 }.map(name)
    let hasShort = names.contains { !$0.hasPrefix("--") } && names.count > 1
    guard hasShort || Set(names).count < names.count,
      let arguments = try? CommandDescription.of(path).arguments
    else { return nil }
    let options = arguments.filter { $0.kind == "option" }
    var given: Set<String> = []
    var isValue = false
    for word in words {
      if isValue {
        isValue = false
        continue
      }
      let name = name(word)
      guard word.hasPrefix("-"),
        let option = options.first(where: { $0.names?.contains { $0.typed == name } == true }),
        let label = option.preferredName?.typed
      else { continue }
      isValue = word == name
      if option.isRepeating || given.insert(label).inserted { continue }
      return UsageError("\(label) is given twice, and has one value.\(advice(label, options))")
    }
    return nil
  }

  /// How to give several values all the same.
  private static func advice(
    _ label: String, _ options: [CommandDescription.Argument]
  ) -> String {
    let takesPatterns = options.contains { $0.preferredName?.typed == PatternArgument.option }
    return label == "--method" && takesPatterns ? " \(severalMethods)" : ""
  }

  /// How options ask for one of several methods.
  static let severalMethods =
    #"For several methods: --when '{"method": ["GET", "HEAD"]}'"#

  /// The name of the option in a word, which may hold its value too.
  private static func name(_ word: String) -> String {
    String(word.hasPrefix("--") ? word.prefix { $0 != "=" } : word.prefix(2))
  }
}
