/// Words that a document chooses from and that no type of the model lists.
package enum DocumentChoices {
  /// What a date can be rounded to, as WireMock spells it.
  package static let truncations = [
    "first second of minute", "first minute of hour", "first hour of day", "first day of month",
    "first day of next month", "last day of month", "first day of year", "first day of next year",
    "last day of year",
  ]

  /// What a date can be moved by.
  package static let offsetUnits = ["seconds", "minutes", "hours", "days", "months", "years"]
}
