/// A format of another tool that scenarios are made of.
///
/// A new format is a folder with a type of this protocol, and a line in ``ImportFormats``.
package protocol ImportFormat: Sendable {
  /// The name that `--format` takes, also the tag of what is imported.
  var name: String { get }
  /// What its files are, for help: `recordings of browsers and proxies`.
  var summary: String { get }

  /// What the format itself makes scenarios of; other values of `--split` are applied to what it gives.
  var ownSplits: Set<ImportOptions.Split> { get }

  /// The options that it has a use for; an import with others only is a mistake.
  var ownOptions: Set<ImportOption> { get }

  /// The names of the variables of an input, which ``ImportOptions/variables`` gives values to.
  func variables(of input: ImportInput) -> Set<String>

  /// Whether an input is of this format, judged by its content.
  func recognizes(_ input: ImportInput) -> Bool

  /// What an input holds.
  ///
  /// - Throws: ``FormatError`` for an input that cannot be read; losses go to the log of the input.
  func read(_ input: ImportInput, options: ImportOptions) throws(FormatError) -> ImportedContent

  /// What several inputs hold; by default each by itself.
  ///
  /// A file of a folder that cannot be read is left out here, see ``each(of:_:)``: only the format knows what else it
  /// made of the others.
  func read(
    _ inputs: [ImportInput], options: ImportOptions
  ) throws(FormatError) -> [ImportedContent]
}

extension ImportFormat {
  package var ownSplits: Set<ImportOptions.Split> { [.folder] }

  package func variables(of input: ImportInput) -> Set<String> { [] }

  package func read(
    _ inputs: [ImportInput], options: ImportOptions
  ) throws(FormatError) -> [ImportedContent] {
    try each(of: inputs) { input throws(FormatError) in try read(input, options: options) }
      .map(\.value)
  }

  /// What `read` gives for each input, without the files of a folder that cannot be read: those are left out, and
  /// what the report said of their parts is taken back.
  func each<Value>(
    of inputs: [ImportInput], _ read: (ImportInput) throws(FormatError) -> Value
  ) throws(FormatError) -> [(input: ImportInput, value: Value)] {
    var values: [(input: ImportInput, value: Value)] = []
    for input in inputs {
      let before = input.log.mark
      do throws(FormatError) {
        values.append((input, try read(input)))
      } catch {
        guard input.canBeLeftOut(after: error) else { throw error }
        input.leaveOut(error, since: before)
      }
    }
    return values
  }
}

/// What was read from an input.
package enum ImportedContent {
  /// Exchanges, which become stubs by normalizing and grouping.
  case recording([RecordedExchange], name: [String])
  /// Stubs, as they are.
  case scenarios([ImportedScenario])
}

/// A scenario on its way to the catalog.
package struct ImportedScenario {
  /// The parts of its name, as they are in the input.
  package var name: [String]
  package var summary: String?
  package var tags: [String] = []
  /// The names of included scenarios, as they are in the input.
  package var includes: [[String]] = []
  package var stubs: [ImportedStub] = []
  /// Whether names and tags are those of a catalog, which stay as they are.
  package var isExact = false
}

/// All formats that can be imported.
package enum ImportFormats {
  /// In the order in which they are tried.
  package static let all: [any ImportFormat] = [
    HARFormat(), VCRFormat(), VCRPyFormat(), PactFormat(), DVRFormat(), NockFormat(),
    MockServerFormat(), HoverflyFormat(), MockoonFormat(),
    OpenAPIFormat(), PostmanFormat(), WireMockFormat(), CurlFormat(), HTTPMessageFormat(),
    MocktailFormat(),
  ]

  /// Their summaries as a list in a sentence.
  package static var list: String {
    let summaries = all.map(\.summary)
    guard let last = summaries.last, summaries.count > 1 else { return summaries.first ?? "" }
    return summaries.dropLast().joined(separator: "; ") + "; and " + last
  }

  /// The format of a name, or nil.
  package static func named(_ name: String) -> (any ImportFormat)? {
    all.first { $0.name == name }
  }
}
