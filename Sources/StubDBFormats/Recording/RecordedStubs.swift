package import StubDBModel

/// Makes stubs of what a run recorded, as an import makes them of a recording.
package enum RecordedStubs {
  /// The stubs in the order of their first requests, each with the indices of the exchanges that it is made of.
  ///
  /// Volatile values are left free, equal requests become a sequence, and the times of the answers are left out. The keys
  /// are unique among them.
  package static func stubs(
    of exchanges: [RecordedExchange], log: ReportLog
  ) -> [(stub: Stub, places: [Int])] {
    var places: [ReportLog.Item: Int] = [:]
    let numbered = exchanges.enumerated().map { place, exchange in
      var exchange = exchange
      let item = log.beginItem()
      exchange.source.item = item
      exchange.answerSource.item = item
      places[item] = place
      return exchange
    }
    var keys = UniqueNames(limit: Stub.Key.maximumLength)
    return RecordingPipeline(options: ImportOptions(), log: log).stubs(of: numbered).map {
      imported in
      var stub = imported.stub
      stub.key = Stub.Key(unchecked: keys.unique(StubNaming.key(of: imported)))
      return (stub, imported.items.compactMap { places[$0] }.sorted())
    }
  }
}
