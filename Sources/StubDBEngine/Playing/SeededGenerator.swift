import StubDBModel

/// Random numbers from a seed: SplitMix64.
///
/// https://prng.di.unimi.it/splitmix64.c
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// Begins with the seed.
  package init(seed: UInt64) {
    state = seed
  }

  /// The numbers for one answer of one stub.
  ///
  /// They depend on nothing else, so that concurrent requests do not change each other's numbers.
  init(seed: UInt64, scenario: ScenarioName, key: String, answer: Int, purpose: Purpose) {
    // FNV-1a, because Swift's own hashes differ from process to process.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func add<Bytes: Sequence<UInt8>>(_ bytes: Bytes) {
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    add(scenario.rawValue.utf8)
    add([0])
    add(key.utf8)
    add([0, purpose.rawValue])
    self.init(seed: seed)
    state = next() ^ hash
    state = next() ^ UInt64(truncatingIfNeeded: answer)
  }

  /// The purpose of numbers: each has its own, so that an additional delay does not change templates.
  enum Purpose: UInt8 {
    case delay
    case template
  }

  /// The next number.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
