package import Foundation
internal import StubDBDescriptions
internal import StubDBFiles
package import StubDBFormats
internal import StubDBJobs
package import StubDBModel
package import StubDBSecrets
internal import StubDBSupport

/// Exports scenarios of a catalog into files, all of them or nothing.
package struct ExportJob {
  /// Where an export is written.
  package struct Output {
    /// The path as it was given.
    let path: String
    package let url: URL

    package init(_ path: String, at url: URL) { (self.path, self.url) = (path, url) }
  }

  /// What is to be written.
  package struct Prepared {
    package let result: ExportResult
    /// What earlier exports of the same scenarios left in the folder; nil if none is written to.
    package let leftovers: ExportLeftovers?
  }

  private let catalog: URL
  private let format: any ExportFormat
  private let options: ExportOptions
  private let output: Output?
  private let replaces: Bool

  /// Never writes over `catalog`, and over files with other content only if `replaces`; without an output, the caller
  /// writes the result.
  package init(
    from catalog: URL, as format: any ExportFormat, options: ExportOptions, to output: Output?,
    replaces: Bool
  ) {
    (self.catalog, self.format, self.options) = (catalog, format, options)
    (self.output, self.replaces) = (output, replaces)
  }

  /// Makes the files; writes nothing.
  ///
  /// `isWhole` says that the scenarios are all that the catalog has, so that files of other scenarios are leftovers, and
  /// descriptions of APIs among them are none of what is exported.
  /// - Throws: `JobError` if the output cannot be the place of the files, or if files with other content are there.
  package func prepare(
    _ scenarios: [Scenario], isWhole: Bool, log: ReportLog
  ) throws -> Prepared {
    let scenarios =
      isWhole ? scenarios.filter { !KeptDescription.isKept(in: $0) } : scenarios
    let result = Exporter.result(
      of: ExportContent(scenarios, options: options, log: log), as: format)
    var leftovers: ExportLeftovers?
    if case .folder = format.layout, let output {
      leftovers = ExportLeftovers(
        in: output.url, besides: result.files, of: format,
        scenarios: isWhole ? nil : Set(scenarios.map(\.name.rawValue)))
    }
    try refuseOthers(result, leftovers)
    return Prepared(result: result, leftovers: leftovers)
  }

  /// Writes the files, and removes the leftovers.
  ///
  /// - Throws: `JobError` if a file cannot be written or removed.
  package func write(_ prepared: Prepared) throws {
    guard let output else { return }
    for file in prepared.result.files {
      let place = place(of: file, in: output)
      do {
        try FileManager.default.createDirectory(
          at: place.url.deletingLastPathComponent(), withIntermediateDirectories: true)
      } catch {
        throw JobError(
          .inputOutput, "cannot write \(quoted: place.path): \(FileFailure.writing(error))")
      }
      try OutputFile(place.path, at: place.url).write(file.content)
    }
    do throws(ExportLeftovers.Failure) {
      try prepared.leftovers?.remove()
    } catch {
      throw JobError(.inputOutput, "cannot remove \(quoted: error.path): \(error.reason)")
    }
  }

  /// How many secrets an export of scenarios has, besides those with an exception.
  package static func secretCount(of scenarios: [Scenario], _ exceptions: ExceptionsFile) -> Int {
    var scanner = SecretScanner()
    return scenarios.enumerated().reduce(0) { count, next in
      let found = scanner.findings(in: next.element, number: next.offset + 1)
      return count + exceptions.sort(found).findings.count
    }
  }

  /// Where a file goes: the output itself, or a place in it.
  private func place(of file: ExportedFile, in output: Output) -> Output {
    if case .file = format.layout { return output }
    let separator = output.path.hasSuffix("/") ? "" : "/"
    return Output(
      output.path + separator + file.path, at: output.url.appendingPathComponent(file.path))
  }

  /// - Throws: `JobError` if the output is no place for the files, or if one of them is there with other content, which
  /// may be a person's work.
  private func refuseOthers(_ result: ExportResult, _ leftovers: ExportLeftovers?) throws {
    guard let output else { return }
    let isFolder = PathStatus(output.url.path)?.isFolder == true
    if case .file = format.layout, output.path.isEmpty || isFolder {
      throw JobError(
        .refused,
        "\(quoted: output.path) is a folder, and \(format.name) is one file: name the file")
    }
    let files = result.files.map { file in
      let place = place(of: file, in: output)
      return (file: file, output: OutputFile(place.path, at: place.url))
    }
    for file in files { try file.output.requireOther(than: [catalog]) }
    if replaces { return }
    let others = files.filter { $0.output.hasOther(than: $0.file.content) }.map(\.file.path)
    guard !others.isEmpty else { return try refuse(leftovers, in: output.path) }
    let names = others.map { "\"\($0)\"" }.listed(upTo: 5)
    var message: JobText = "\(quoted: output.path) has \(names) with other content"
    if case .file = format.layout {
      message = "\(quoted: output.path) is there with other content"
    }
    let them = others.count == 1 ? "it" : "them"
    throw JobError(
      .refused, "\(message); nothing was written",
      hints: ["\(again: "To write over \(them)", adding: "--replace")"])
  }

  /// - Throws: `JobError` if files of an earlier export would stay beside those of this one.
  private func refuse(_ leftovers: ExportLeftovers?, in folder: String) throws {
    guard let leftovers, !leftovers.paths.isEmpty else { return }
    let count = leftovers.paths.count
    let (stubs, those) = (leftovers.stubPaths.count, count == 1 ? "it" : "them")
    // An import does not read contents that no mapping names.
    let reason =
      stubs == 0 ? "" : ", and an import would read \(stubs == count ? those : "\(stubs) of them")"
    throw JobError(
      .refused,
      """
      \(quoted: folder) has \(Plural.of(count, "file")) of an earlier export that this one does not \
      write\(reason): \(leftovers.list); nothing was written
      """,
      hints: ["\(again: "To remove \(those)", adding: "--replace")"])
  }
}

extension ExportLeftovers {
  /// The first paths, in a sentence.
  package var list: String { paths.map { "\"\($0)\"" }.listed(upTo: 3) }
}
