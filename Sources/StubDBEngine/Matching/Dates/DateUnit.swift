/// A unit of date offsets; the raw value is its word in a document.
enum DateUnit: String, Sendable {
  case seconds
  case minutes
  case hours
  case days
  case months
  case years
}
