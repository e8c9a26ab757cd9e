internal import Foundation
internal import StubDBJSON

/// What recordings of Polly.JS have that other archives lack: contents in pieces, and an order of equal requests.
///
/// https://netflix.github.io/pollyjs/#/persisters/custom
enum PollyRecording {
  /// The content of an answer that was recorded in pieces, or beside its decoded form; nil for any other content.
  ///
  /// Pieces are a list of texts in base64, or of hexadecimal digits, which only newer versions say.
  static func body(
    of content: SourceValue, headers: RecordedHeaders, isPolly: Bool
  ) -> RecordedBody? {
    let text = content["text"]
    let codings = headers[values: "Content-Encoding"].joined(separator: ",").lowercased()
    if let decoded = content["textDecoded"], !decoded.isNull {
      // Only gzip and deflate can be decoded here.
      if text == nil || codings.contains("br") || codings.contains("zstd") {
        text?.ignore()
        return .text(decoded.text ?? decoded.json.canonicalText)
      }
      decoded.ignore()
    }
    guard let text, let chunks = chunks(of: text) else { return nil }
    let isBase64 = content["encoding"]?.peekedText?.lowercased() == "base64"
    let isBinary = content["_isBinary"]?.peekedText?.lowercased() == "true"
    guard isBase64 || isBinary || isPolly && !codings.isEmpty else { return nil }
    var data = Data()
    for chunk in chunks {
      guard let piece = isBase64 ? Base64Text.decoded(chunk) : CassetteParts.hexadecimal(chunk)
      else {
        return nil
      }
      data += piece
    }
    // A list of words may look like hexadecimal digits.
    let isGzip = data.starts(with: [0x1F, 0x8B])
    guard isBase64 || isBinary || !codings.contains("gzip") || isGzip else { return nil }
    text.keep()
    return data.isEmpty ? RecordedBody.none : .bytes(data)
  }

  /// The texts of a list, which is a text of JSON, or in YAML the list itself.
  private static func chunks(of value: SourceValue) -> [String]? {
    var list: JSONValue?
    if value.isArray {
      list = value.peekedJSON
    } else if value.isString, value.withUTF8({ $0.first == UInt8(ascii: "[") }) {
      list = value.peekedText.flatMap { try? JSONValue(parsing: $0) }
    }
    guard case .array(let elements)? = list else { return nil }
    let texts = elements.compactMap { element -> String? in
      if case .string(let text) = element { text } else { nil }
    }
    return texts.count == elements.count ? texts : nil
  }

  /// The name of a recording; nil without one.
  static func name(_ log: SourceValue) -> [String]? {
    guard let name = log.text("_recordingName") else { return nil }
    let parts = name.split(separator: "/").map(String.init)
    return parts.isEmpty ? nil : parts
  }

  /// Puts equal requests into the order that their entries number, each in the place of another.
  static func sort(_ exchanges: inout [RecordedExchange], of entries: [SourceValue]) {
    var groups: [String: [(place: Int, order: Int)]] = [:]
    for (place, entry) in entries.enumerated() {
      guard let id = entry["_id"]?.peekedText,
        let order = entry["_order"]?.peekedText.flatMap({ Int($0) })
      else { continue }
      groups[id, default: []].append((place, order))
    }
    let before = exchanges
    for group in groups.values where group.count > 1 {
      let times = group.compactMap { before[$0.place].time }.sorted()
      let sorted = group.sorted { ($0.order, $0.place) < ($1.order, $1.place) }
      for (index, from) in sorted.enumerated() {
        let place = group[index].place
        exchanges[place] = before[from.place]
        if times.count == group.count { exchanges[place].time = times[index] }
      }
    }
  }
}
