#if Server
import Foundation
import StubDBEngine
import StubDBPlayback
import StubDBServing

/// Metrics in the text format of Prometheus.
///
/// https://prometheus.io/docs/instrumenting/exposition_formats/
struct MetricsText {
  static let type = "text/plain; version=0.0.4"

  private(set) var text = ""

  init(_ metrics: Metrics, _ sessions: SessionTable, connectionCount: Int) {
    let state = metrics.current
    begin("stubdb_requests_total", "counter", "Answers to requests of scenarios.")
    let rows = state.requests.sorted { one, other in
      (one.key.scenario, one.key.key, one.key.status ?? 0)
        < (other.key.scenario, other.key.key, other.key.status ?? 0)
    }
    for (row, count) in rows {
      let labels = [
        ("scenario", row.scenario), ("key", row.key), ("status", row.status.map(String.init) ?? ""),
      ]
      add("stubdb_requests_total", labels, "\(count)")
    }
    single("stubdb_unmatched_total", "counter", "Requests that no stub answered.", state.unmatched)
    histogram(
      "stubdb_request_duration_seconds", "Time of answers without delays of stubs.",
      state.durations)
    histogram(
      "stubdb_stubbed_delay_seconds", "Delays of stubs, of the answers with one.", state.delays)
    single("stubdb_connections", "gauge", "Open connections.", connectionCount)
    addJournals(sessions.all)
    begin(
      "stubdb_catalog_reloads_total", "counter", "Changes of the catalog, by whether they play.")
    add("stubdb_catalog_reloads_total", [("result", "failed")], "\(state.reloads.failed)")
    add("stubdb_catalog_reloads_total", [("result", "reloaded")], "\(state.reloads.done)")
    if let bytes = Self.residentByteCount {
      single("process_resident_memory_bytes", "gauge", "Memory in use.", bytes)
    }
    begin("process_start_time_seconds", "gauge", "When the server began, since 1970.")
    add("process_start_time_seconds", [], "\(metrics.startTime)")
  }

  private mutating func addJournals(_ sessions: [Session]) {
    let runs = sessions.map(\.player.run)
    single(
      "stubdb_journal_entries", "gauge", "Requests that journals keep.",
      runs.reduce(0) { $0 + $1.journalCount })
    single(
      "stubdb_journal_dropped", "gauge", "Requests that the limit of journals has dropped.",
      runs.reduce(0) { $0 + $1.droppedCount })
    single("stubdb_sessions", "gauge", "Sessions.", sessions.count)
  }

  private mutating func begin(_ name: String, _ kind: String, _ about: String) {
    text += "# HELP \(name) \(about)\n# TYPE \(name) \(kind)\n"
  }

  private mutating func add(_ name: String, _ labels: [(String, String)], _ value: String) {
    let labels = labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
    text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
  }

  private mutating func single(_ name: String, _ kind: String, _ about: String, _ value: Int) {
    begin(name, kind, about)
    add(name, [], "\(value)")
  }

  private mutating func histogram(_ name: String, _ about: String, _ histogram: Metrics.Histogram) {
    begin(name, "histogram", about)
    var total = 0
    for (count, limit) in zip(histogram.counts, Metrics.Histogram.limits.map { "\($0)" } + ["+Inf"])
    {
      total += count
      add("\(name)_bucket", [("le", limit)], "\(total)")
    }
    add("\(name)_sum", [], "\(histogram.sum)")
    add("\(name)_count", [], "\(total)")
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }

  /// The memory that the process has in use; nil where the system has no file that says so.
  private static var residentByteCount: Int? {
    guard let line = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
      return nil
    }
    let pages = line.split(separator: " ")
    guard pages.count > 1, let count = Int(pages[1]) else { return nil }
    return count * Int(getpagesize())
  }
}
#endif
