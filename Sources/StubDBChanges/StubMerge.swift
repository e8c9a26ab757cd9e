internal import StubDBDocuments
internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

/// Merges three versions of one stub.
enum StubMerge {
  /// Returns the merged stub, and the places that both sides changed, which have our version.
  ///
  /// The result is always a stub that a document can express: if the parts of both sides do not fit together, the
  /// smallest enclosing part is taken as a whole from our side.
  static func merge(
    base: Stub?, ours: Stub, theirs: Stub, disputed: Set<JSONPointer> = []
  ) -> (stub: Stub, clashes: [TreeMerge.Clash]) {
    if let base, disputed.isEmpty {
      if let stub = mergedPartByPart(base, ours, theirs) { return (stub, []) }
      if let stub = mergedWithoutConflict(base, ours, theirs) { return (stub, []) }
    }
    let values = (base?.partsValue, ours.partsValue, theirs.partsValue)
    var wholes: Set<JSONPointer> = []
    while true {
      var merge = TreeMerge()
      (merge.wholes, merge.disputed) = (wholes, disputed)
      let merged = merge.merge(base: values.0, ours: values.1, theirs: values.2, .stub)
      do throws(DocumentError) {
        return (try Stub(documentValue: merged ?? values.1), merge.clashes)
      } catch {
        guard let place = next(around: error.pointer, besides: wholes) else {
          return (
            ours,
            [
              TreeMerge.Clash(
                pointer: JSONPointer(), base: disputed.isEmpty ? values.0 : nil, ours: values.1,
                theirs: values.2)
            ]
          )
        }
        wholes.insert(place)
      }
    }
  }

  /// The merged stub if no part of it was changed on both sides; nil otherwise.
  ///
  /// Each part is then one side's as a whole, and the parts of a stub fit together however they are combined, but for a
  /// resource, of which request and responses have a part.
  private static func mergedPartByPart(_ base: Stub, _ ours: Stub, _ theirs: Stub) -> Stub? {
    var merged = ours
    guard ours.resource == base.resource, theirs.resource == base.resource else { return nil }
    guard take(&merged.key, base.key, theirs.key),
      take(&merged.summary, base.summary, theirs.summary, { $0.hasSameBytes(as: $1) }),
      take(&merged.priority, base.priority, theirs.priority),
      take(&merged.isRequired, base.isRequired, theirs.isRequired),
      take(&merged.request, base.request, theirs.request),
      take(&merged.captures, base.captures, theirs.captures),
      take(&merged.responses, base.responses, theirs.responses),
      take(&merged.then, base.then, theirs.then),
      take(&merged.flow, base.flow, theirs.flow),
      take(&merged.recorded, base.recorded, theirs.recorded)
    else { return nil }
    return merged
  }

  /// Takes over their version of a part that only they changed; false if both changed it differently.
  private static func take<Part: Equatable>(
    _ ours: inout Part, _ base: Part, _ theirs: Part, _ isSame: (Part, Part) -> Bool = { $0 == $1 }
  ) -> Bool {
    if isSame(theirs, base) || isSame(theirs, ours) { return true }
    guard isSame(ours, base) else { return false }
    ours = theirs
    return true
  }

  /// The merged stub if there is no conflict, found without looking at parts that all versions share; nil otherwise.
  private static func mergedWithoutConflict(_ base: Stub, _ ours: Stub, _ theirs: Stub) -> Stub? {
    var stubs = [base, ours, theirs]
    let parts = CommonParts(takenFrom: &stubs)
    var merge = TreeMerge()
    let merged = merge.merge(
      base: stubs[0].partsValue, ours: stubs[1].partsValue, theirs: stubs[2].partsValue, .stub)
    guard merge.clashes.isEmpty, let merged, let stub = try? Stub(documentValue: merged) else {
      return nil
    }
    return parts.putBack(into: stub)
  }

  /// The innermost enclosing place that was not tried yet.
  private static func next(
    around pointer: JSONPointer, besides tried: Set<JSONPointer>
  ) -> JSONPointer? {
    var place = pointer
    while !place.tokens.isEmpty {
      if !tried.contains(place) { return place }
      place.tokens.removeLast()
    }
    return nil
  }
}
