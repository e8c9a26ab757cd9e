/// What one side's renames say about the other side's.
enum SharedRenames {
  /// Completes both: a thing that one side is seen to have renamed, and that the other has under the
  /// same new name only, was renamed there too, however much of it was changed.
  ///
  /// Renames are the old name by the new one.
  static func complete<Name: Hashable>(
    _ left: inout [Name: Name], _ right: inout [Name: Name], ours: Set<Name>, theirs: Set<Name>
  ) {
    let (first, second) = (left, right)
    add(first, to: &right, names: theirs)
    add(second, to: &left, names: ours)
  }

  private static func add<Name: Hashable>(
    _ renames: [Name: Name], to side: inout [Name: Name], names: Set<Name>
  ) {
    let taken = Set(side.values)
    for (new, old) in renames
    where side[new] == nil && !taken.contains(old) && names.contains(new) && !names.contains(old) {
      side[new] = old
    }
  }
}
