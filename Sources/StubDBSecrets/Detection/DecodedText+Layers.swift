import StubDBModel

extension DecodedText.Layer {
  /// The bytes with which what is encoded begins.
  var marks: ByteSet {
    switch self {
    case .percent: ByteSet("%")
    case .form: ByteSet("%+")
    case .escapes: ByteSet("\\[")
    case .references: ByteSet("&")
    case .base64: ByteSet("")
    }
  }
}

extension DecodedText {
  /// The text with a layer removed; nil if nothing in it is encoded that way.
  init?(_ bytes: Bytes, without layer: Layer) {
    var sources: [Int]? = []
    guard
      let decoded = Self.decoded(bytes, [layer], marks: layer.marks, quotes: true, &sources)
    else { return nil }
    self.init(decoded, sources.map { $0 + [bytes.count] })
  }

  private static let allMarks = ByteSet("%\\[&")

  /// The bytes with one layer of every kind removed; nil if nothing in them is encoded.
  static func flattened(_ bytes: Bytes) -> [UInt8]? {
    var sources: [Int]?
    return decoded(bytes, allLayers, marks: allMarks, quotes: false, &sources)
  }

  /// The bytes with a layer removed; nil if nothing in them is encoded that way.
  static func decoded(_ bytes: Bytes, _ layer: Layer) -> [UInt8]? {
    var sources: [Int]?
    return decoded(bytes, [layer], marks: layer.marks, quotes: true, &sources)
  }
}
