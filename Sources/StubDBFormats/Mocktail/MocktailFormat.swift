internal import Foundation
internal import HTTPTypes
internal import StubDBModel
internal import StubDBSupport

/// Mocktail's `.tail` files, one answer a file, as OHHTTPStubs reads them.
///
/// Line 1 is an expression for the method, line 2 one for the URL, line 3 the status, line 4 the type of the content,
/// further lines are header fields; the content comes after an empty line. https://github.com/square/objc-mocktail
struct MocktailFormat: ImportFormat {
  let name = "mocktail"
  let summary = "Mocktail's .tail files"
  let ownOptions: Set<ImportOption> = []
  let ownSplits: Set<ImportOptions.Split> = [.folder, .none]

  func recognizes(_ input: ImportInput) -> Bool {
    guard case .text(let text) = input.content else { return false }
    let lines = TailFile(text).head
    return lines.count >= 3 && Int(lines[2]) != nil && Self.methods(of: lines[0]) != nil
  }

  func read(_ input: ImportInput, options: ImportOptions) throws(FormatError) -> ImportedContent {
    .scenarios(try scenarios([input], options))
  }

  /// The files of a folder are one scenario, in which longer expressions answer first.
  func read(
    _ inputs: [ImportInput], options: ImportOptions
  ) throws(FormatError) -> [ImportedContent] {
    [.scenarios(try scenarios(inputs, options))]
  }

  private func scenarios(
    _ inputs: [ImportInput], _ options: ImportOptions
  ) throws(FormatError) -> [ImportedScenario] {
    var scenarios: [ImportedScenario] = []
    var lengths: [[String]: [(length: Int, stub: ImportedStub)]] = [:]
    for (input, stub) in try each(of: inputs, stub) {
      let folders = options.split == ImportOptions.Split.none ? [] : input.path.dropLast()
      let name = input.rootName.map { [$0] + folders } ?? input.path
      if lengths[name] == nil { scenarios.append(ImportedScenario(name: name)) }
      lengths[name, default: []] += stub.map { [$0] } ?? []
    }
    for place in scenarios.indices {
      let stubs = lengths[scenarios[place].name] ?? []
      scenarios[place].stubs = stubs.enumerated().sorted {
        (-$0.element.length, $0.offset) < (-$1.element.length, $1.offset)
      }.map(\.element.stub)
    }
    return scenarios
  }

  private func stub(
    _ input: ImportInput
  ) throws(FormatError) -> (length: Int, stub: ImportedStub)? {
    guard case .text(let text) = input.content else { return nil }
    let item = input.log.beginItem()
    let file = TailFile(text)
    guard file.head.count >= 4, !file.head[3].isEmpty, let status = Int(file.head[2]),
      StubResponse.finalStatuses.contains(status)
    else {
      let isStatus =
        file.head.count > 2 && Int(file.head[2]).map(StubResponse.finalStatuses.contains) != true
      throw FormatError(
        file: input.file, line: isStatus ? 3 : 4,
        message:
          "a .tail file begins with a method, a URL, a status and a content type, each on a line")
    }
    guard let methods = Self.methods(of: file.head[0]) else {
      input.log.add(
        .dropped, .stubLeftOut, file: input.file, pointer: "1:1", line: 1, item: item,
        "The stub was left out: \(file.head[0]) is no list of methods")
      return nil
    }
    let expression = file.head[1]
    guard (try? NSRegularExpression(pattern: expression)) != nil else {
      throw FormatError(
        file: input.file, line: 2, message: "\"\(expression)\" is not a regular expression")
    }
    // The expression need not match the whole URL, and ignores case.
    let pattern = RequestPattern(
      methods: methods, wholeURL: .matches("(?si).*\(Self.grouped(expression)).*"))
    guard let response = file.response(status: status, log: input.log, file: input.file) else {
      input.log.add(
        .dropped, .stubLeftOut, file: input.file, pointer: "4:1", line: 4, item: item,
        "The stub was left out: its content is not base64")
      return nil
    }
    let stub = Stub(
      key: input.path.last.map(Stub.Key.init(unchecked:)) ?? .unset, request: pattern,
      responses: [response])
    return (expression.count, ImportedStub(stub: stub, items: [item]))
  }

  /// The expression, in a group where what stands around it would otherwise belong to one alternative only.
  private static func grouped(_ expression: String) -> String {
    expression.contains("|") || expression.contains("(?") ? "(?:\(expression))" : expression
  }

  /// The methods of `GET` or `GET|POST`, empty for every method; nil for any other expression.
  private static func methods(of expression: String) -> [HTTPRequest.Method]? {
    if expression == ".*" { return [] }
    let names = expression.trimmingCharacters(in: CharacterSet(charactersIn: "^$()"))
      .split(separator: "|").map { $0.uppercased() }
    guard !names.isEmpty, names.allSatisfy(RequestReader.isStandard) else { return nil }
    return names.compactMap { HTTPRequest.Method($0) }
  }
}

/// The lines of a file before the empty line, and what comes after it.
struct TailFile {
  let head: [String]
  private let content: String

  init(_ text: String) {
    let text = text.replacingOccurrences(of: "\r\n", with: "\n")
    let parts = text.range(of: "\n\n")
    let head = parts.map { text[..<$0.lowerBound] } ?? text[...]
    content = parts.map { String(text[$0.upperBound...]) } ?? ""
    self.head = head.split(separator: "\n", omittingEmptySubsequences: false).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
  }

  /// The answer; nil if `;base64` at the end of its type says that the content is base64, and it is not.
  func response(status: Int, log: ReportLog, file: String) -> StubResponse? {
    var builder = ResponseBuilder(texts: .typedValues, leavingOut: HeaderPolicy.lengths)
    builder.status = status
    var isBase64 = false
    for (number, line) in head.dropFirst(3).enumerated() where !line.isEmpty {
      var (name, value) = ("Content-Type", line)
      if let (before, after) = line.cut(at: ":"), !before.contains("/") {
        (name, value) = (String(before), after.trimmingCharacters(in: .whitespaces))
      }
      if name.lowercased() == "content-type", value.lowercased().hasSuffix(";base64") {
        isBase64 = true
        value.removeLast(";base64".count)
      }
      if !builder.addSendableHeader(name, value) {
        log.add(
          .dropped, .header, file: file, pointer: "\(number + 4):1", line: number + 4,
          "The header field \(name) cannot be sent")
      }
    }
    if isBase64 {
      guard let bytes = Base64Text.decoded(content) else { return nil }
      if !bytes.isEmpty { builder.content = .body(.data(bytes)) }
    } else {
      builder.setText(content)
    }
    return builder.response
  }
}
