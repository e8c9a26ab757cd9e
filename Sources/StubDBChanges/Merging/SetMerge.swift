/// Merges sets: what one side added is in, what one side removed is out.
package enum SetMerge {
  package static func merge<Element: Hashable>(
    base: some Sequence<Element>, ours: some Sequence<Element>, theirs: some Sequence<Element>
  ) -> Set<Element> {
    let (base, ours, theirs) = (Set(base), Set(ours), Set(theirs))
    return ours.intersection(theirs).union(ours.subtracting(base))
      .union(theirs.subtracting(base))
  }
}
