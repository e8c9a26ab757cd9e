/// The items and properties of a value that a schema evaluated.
struct Annotations {
  var properties: Set<String> = []
  var items: Set<Int> = []

  mutating func merge(_ other: Annotations) {
    properties.formUnion(other.properties)
    items.formUnion(other.items)
  }
}
