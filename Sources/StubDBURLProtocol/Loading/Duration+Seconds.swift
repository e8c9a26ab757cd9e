extension Duration {
  /// The time in seconds, as timers want it.
  var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
