/// Which items and properties of a value a schema looked at.
struct Annotations {
  var properties: Set<String> = []
  var items: Set<Int> = []

  mutating func merge(_ other: Annotations) {
    properties.formUnion(other.properties)
    items.formUnion(other.items)
  }
}
