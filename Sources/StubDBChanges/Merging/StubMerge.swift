internal import StubDBModel

/// Merges three versions of one stub.
enum StubMerge {
  /// The merged stub, and the places where it has our version because both sides changed them.
  ///
  /// What is merged is always a stub that a document can hold: where the parts of both sides do not
  /// go together, the smallest part around them is left as a whole.
  static func merge(
    base: Stub?, ours: Stub, theirs: Stub
  ) -> (stub: Stub, clashes: [TreeMerge.Clash]) {
    if let base, let stub = mergedWithoutConflict(base, ours, theirs) { return (stub, []) }
    let values = (base?.partsValue, ours.partsValue, theirs.partsValue)
    var wholes: Set<JSONPointer> = []
    while true {
      var merge = TreeMerge()
      merge.wholes = wholes
      let merged = merge.merge(base: values.0, ours: values.1, theirs: values.2, .stub)
      do throws(DocumentError) {
        return (try Stub(documentValue: merged ?? values.1), merge.clashes)
      } catch {
        guard let place = next(around: error.pointer, besides: wholes) else {
          return (
            ours,
            [
              TreeMerge.Clash(
                pointer: JSONPointer(), base: values.0, ours: values.1, theirs: values.2)
            ]
          )
        }
        wholes.insert(place)
      }
    }
  }

  /// The merged stub where there is no conflict, without a look at what is the same in all; else nil.
  private static func mergedWithoutConflict(_ base: Stub, _ ours: Stub, _ theirs: Stub) -> Stub? {
    var stubs = [base, ours, theirs]
    let parts = EqualParts(takenFrom: &stubs)
    var merge = TreeMerge()
    let merged = merge.merge(
      base: stubs[0].partsValue, ours: stubs[1].partsValue, theirs: stubs[2].partsValue, .stub)
    guard merge.clashes.isEmpty, let merged, let stub = try? Stub(documentValue: merged) else {
      return nil
    }
    return parts.putBack(into: stub)
  }

  /// The innermost place around one that was not tried yet.
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
