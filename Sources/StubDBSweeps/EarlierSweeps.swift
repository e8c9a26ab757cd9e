import Foundation
import StubDBSupport
import StubDBVariations

/// What the sweep files of processes that did not end in good order say.
struct EarlierSweeps: Sendable {
  /// A variation of a test.
  struct Key: Hashable {
    var test: String
    var variation: String
  }

  /// More processes than that are not remembered.
  private static let mostFiles = 50

  /// The variations that were under way when processes ended.
  private(set) var suspicions: [Key: Suspicion] = [:]
  /// The files that say so.
  private var files: [Key: [String]] = [:]

  /// Reads a folder; marks or removes files that nothing follows from, so that the next process need not read them.
  init(_ folder: String, keepsFiles: Bool) {
    for path in Self.endedFiles(in: folder) {
      let suspects = Self.hasEnd(path) ? [] : Self.suspects(in: path)
      if suspects.isEmpty { Self.retire(path, keepsFiles: keepsFiles) }
      for key in suspects {
        // One that was under way in two is it: suspects are tried one at a time.
        let isCertain = suspects.count == 1 || suspicions[key] != nil
        suspicions[key] = isCertain ? .certain : .possible
        files[key, default: []].append(path)
      }
    }
  }

  /// Notes in the files that a variation has not ended the process this time.
  func settle(_ line: SweepLine) {
    guard line.state == .survived || line.state == .found else { return }
    for path in files[Key(test: line.test, variation: line.variation)] ?? [] {
      Self.append(line.text, to: path)
    }
  }

  /// The variations of which a file says that they began, and not what became of them.
  private static func suspects(in path: String) -> Set<Key> {
    var open: [Key: Int] = [:]
    let content = FileManager.default.contents(atPath: path) ?? Data()
    for line in SweepLine.lines(of: content) {
      let key = Key(test: line.test, variation: line.variation)
      open[key, default: 0] += line.state == .begun ? 1 : -1
    }
    return Set(open.filter { $0.value > 0 }.keys)
  }

  // MARK: Files

  /// The files of processes that have ended, the oldest first; very old ones are removed.
  private static func endedFiles(in folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let files = names.filter { $0.hasSuffix(".jsonl") }.map { folder + "/" + $0 }
      .filter { !AppendedFile.isOpen(atPath: $0) }
      .map { path in (path: path, date: date(of: path)) }
      .sorted { ($0.date, $0.path) < ($1.date, $1.path) }
    for file in files.dropLast(mostFiles) { remove(file.path) }
    return files.suffix(mostFiles).map(\.path)
  }

  private static func date(of path: String) -> Double {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
  }

  /// Whether the last line says that the process ended in good order.
  private static func hasEnd(_ path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path), let size = try? file.seekToEnd() else {
      return false
    }
    let length = UInt64(SweepLine.end.utf8.count)
    guard size >= length, (try? file.seek(toOffset: size - length)) != nil else { return false }
    return (try? file.readToEnd()) == Data(SweepLine.end.utf8)
  }

  private static func retire(_ path: String, keepsFiles: Bool) {
    guard keepsFiles else { return remove(path) }
    if !hasEnd(path) { append(SweepLine.end, to: path) }
  }

  /// Appends with one call of the system, since other threads and processes settle what is in the same file.
  ///
  /// What cannot be changed is changed by a later process.
  private static func append(_ line: String, to path: String) {
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { _ = Foundation.close(descriptor) }
    var line = line
    _ = line.withUTF8 { Foundation.write(descriptor, $0.baseAddress, $0.count) }
  }

  /// Removes a file, and no folder.
  private static func remove(_ path: String) { _ = unlink(path) }
}
