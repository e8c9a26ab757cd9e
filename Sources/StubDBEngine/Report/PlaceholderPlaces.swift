import StubDBJSON
import StubDBModel

/// The places where a stub asks for the placeholder of a secret, and a request has something else.
struct PlaceholderPlaces {
  private static let anyPattern = JSONValue.object(["matches": ".+"])

  private let places: [Mismatch]

  init(_ stub: NearMiss) {
    places = stub.mismatches.filter { RedactionPlaceholders.isIn($0.expected) }
  }

  /// What matches any value in the first place, in the words of a document; nil if there is no place.
  var anyValue: String? {
    places.first.map { place in
      if place.pointer != nil { return #""${json-unit.ignore}""# }
      let isElement = place.part.kind == .body && place.part.name != nil
      return isElement ? "${xmlunit.ignore}" : Self.anyPattern.canonicalText
    }
  }

  /// A pattern that, put into that of the stub, matches any value in all places; nil if it takes more than that.
  var pattern: String? {
    var members: [String: JSONObject] = [:]
    for place in places {
      guard let member = Self.member(of: place.part.kind), place.part.container == nil,
        let name = place.part.name
      else { return nil }
      members[member, default: [:]][name] = Self.anyPattern
    }
    guard !members.isEmpty else { return nil }
    return JSONValue.object(members.mapValues(JSONValue.object)).canonicalText
  }

  private static func member(of kind: Mismatch.Part.Kind) -> String? {
    switch kind {
    case .query: "query"
    case .header: "headers"
    case .cookie: "cookies"
    default: nil
    }
  }
}
