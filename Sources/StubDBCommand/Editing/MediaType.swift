/// Media types by file extension.
enum MediaType {
  private static let types = [
    "json": "application/json", "xml": "application/xml", "html": "text/html; charset=utf-8",
    "csv": "text/csv; charset=utf-8", "js": "text/javascript", "css": "text/css",
    "pdf": "application/pdf", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg",
    "gif": "image/gif", "webp": "image/webp", "svg": "image/svg+xml",
    "zip": "application/zip", "bin": "application/octet-stream",
  ]

  /// The type; nil for an unknown extension.
  static func ofFile(named name: String) -> String? {
    guard let dot = name.lastIndex(of: ".") else { return nil }
    return types[name[name.index(after: dot)...].lowercased()]
  }
}
