package import StubDBJSON
package import StubDBModel

/// Makes stubs of what a run recorded, as an import makes them of a recording.
package struct RecordedStubs {
  /// The stubs in the order of their first requests, those that ask for more before those that accept such requests, too,
  /// each with the indices of the exchanges that it is made of.
  ///
  /// A stub answers no request with other parameters, fields or parts than were recorded, unless some were left free: a
  /// recorder asks it before the server. Volatile values are left free, equal requests become a sequence, and the times
  /// of the answers are left out. The keys are unique among them. `freed` are the places whose secrets the client had
  /// before an answer gave them, which match any value.
  package let list: [(stub: Stub, places: [Int], freed: [JSONPointer])]
  /// The indices of the exchanges that no stub can be made of, ascending, each with the reason as a phrase.
  package let leftOut: [(place: Int, reason: String)]

  /// Makes them; `own` are the placeholders of what is known to be the client's own, and `numbers` those that redaction
  /// gave to numbers.
  package init(
    of exchanges: [RecordedExchange], own: Set<String> = [], numbers: Set<String> = []
  ) {
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
    let pipeline = RecordingPipeline(options: ImportOptions(), log: log, isQueryExact: true)
    list = pipeline.stubs(of: numbered, own: own, numbers: numbers).map { imported in
      var stub = imported.stub
      stub.key = Stub.Key(unchecked: keys.unique(StubNaming.key(of: imported)))
      return (stub, imported.items.compactMap { places[$0] }.sorted(), imported.freedPlaces)
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
