/// Values by keys, in the order in which the keys came.
struct OrderedGroups<Key: Hashable, Value> {
  private(set) var list: [(key: Key, value: Value)] = []
  private var places: [Key: Int] = [:]

  /// The value of a key, which is added with a value at the end if it is new.
  subscript(key: Key, default new: @autoclosure () -> Value) -> Value {
    get { places[key].map { list[$0].value } ?? new() }
    _modify {
      let place = places[key] ?? list.count
      if place == list.count {
        places[key] = place
        list.append((key, new()))
      }
      yield &list[place].value
    }
  }
}
