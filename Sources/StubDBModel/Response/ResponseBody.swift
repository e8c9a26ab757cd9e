public import Foundation
public import StubDBJSON

/// The content of a response, and its form in a document.
///
/// The bytes are what is sent: JSON content is compact text with sorted keys.
public struct ResponseBody: Hashable, Sendable {
  /// The form of the content in a document.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// As JSON, under the key `json`.
    case json
    /// As text, under the key `text`.
    case text
    /// As base64, under the key `base64`.
    case base64
  }

  /// The place of the bytes.
  package enum Content: Hashable, Sendable {
    /// In memory.
    case bytes(Data)
    /// In the catalog it was loaded from; read when it is served.
    case stored(StoredBody)
  }

  /// The form of the content in a document.
  package let kind: Kind
  /// The place of the bytes; in memory unless the body was loaded from a catalog for playing.
  package let content: Content

  package init(kind: Kind, content: Content) {
    self.kind = kind
    self.content = content
  }

  /// Content that is a JSON value.
  public static func json(_ value: JSONValue) -> ResponseBody {
    ResponseBody(kind: .json, content: .bytes(Data(value.canonicalText.utf8)))
  }

  /// Content that is UTF-8 text.
  public static func text(_ text: String) -> ResponseBody {
    ResponseBody(kind: .text, content: .bytes(Data(text.utf8)))
  }

  /// Content of any bytes.
  public static func data(_ data: Data) -> ResponseBody {
    ResponseBody(kind: .base64, content: .bytes(data))
  }

  /// The bytes; nil if they are left in the catalog until they are served.
  public var bytes: Data? {
    if case .bytes(let data) = content { data } else { nil }
  }

  /// The number of bytes.
  public var byteCount: Int {
    switch content {
    case .bytes(let data): data.count
    case .stored(let body): body.byteCount
    }
  }
}

/// A body that is left in its catalog until it is served.
package struct StoredBody: Hashable, Sendable {
  /// The SHA-256 of the bytes; 32 bytes.
  package let digest: Data
  /// The number of bytes.
  package let byteCount: Int

  package init(digest: Data, byteCount: Int) {
    self.digest = digest
    self.byteCount = byteCount
  }
}
