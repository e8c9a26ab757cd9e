package import StubDBModel

/// Makes stubs of what a run recorded, as an import makes them of a recording.
package struct RecordedStubs {
  /// The stubs in the order of their first requests, each with the indices of the exchanges that it is made of.
  ///
  /// Volatile values are left free, equal requests become a sequence, and the times of the answers are left out. The keys
  /// are unique among them.
  package let list: [(stub: Stub, places: [Int])]
  /// The indices of the exchanges that no stub can be made of, ascending, each with the reason as a phrase.
  package let leftOut: [(place: Int, reason: String)]

  package init(of exchanges: [RecordedExchange]) {
    let log = ReportLog()
    var places: [ReportLog.Item: Int] = [:]
    let numbered = exchanges.enumerated().map { place, exchange in
      var exchange = exchange
      let item = log.beginItem()
      exchange.source = ReportSource(file: exchange.source.file, log: log, item: item)
      exchange.answerSource = exchange.source
      places[item] = place
      return exchange
    }
    var keys = UniqueNames(limit: Stub.Key.maximumLength)
    let pipeline = RecordingPipeline(options: ImportOptions(), log: log)
    list = pipeline.stubs(of: numbered).map { imported in
      var stub = imported.stub
      stub.key = Stub.Key(unchecked: keys.unique(StubNaming.key(of: imported)))
      return (stub, imported.items.compactMap { places[$0] }.sorted())
    }
    let used = Set(list.flatMap(\.places))
    leftOut = exchanges.indices.filter { !used.contains($0) }.map { place in
      let line = log.lines.first { line, item in
        line.level == .dropped && item.flatMap { places[$0] } == place
      }
      return (place, line?.line.text ?? "an import leaves such requests out")
    }
  }
}
