#if Server
import Foundation
import HTTPTypes
import NIOHTTP1
import StubDBDocuments
import StubDBPlayback
import StubDBSupport

/// The page that shows what a server does, as browsers get it.
///
/// It is static files, which know nothing; what they show comes from the admin API. So they need no token, and the guard
/// of the API keeps pages of other sites away from them too.
enum Page {
  /// The file of a name and its entity tag, or nil.
  static func file(_ name: String) -> (content: Data, tag: String)? { contents[name] }

  /// What the files are, as a part of their addresses: a browser that has them need not ask again.
  static let version: String = {
    let all = PageFiles.all.sorted { $0.key < $1.key }.map { "\($0.key)\0\($0.value)" }
    return String(SHA256Digest.hexadecimal(of: Data(all.joined(separator: "\0").utf8)).prefix(16))
  }()

  /// The page itself, which names the files by their version, and all modules at once: a browser otherwise learns of each
  /// from the one that imports it.
  static let index: String = {
    let folder = "/__stubdb/page/"
    let preloads = PageFiles.all.keys.filter { $0.hasSuffix(".js") }.sorted()
      .map { "  <link rel=\"modulepreload\" href=\"\(folder)\($0)\">\n" }.joined()
    return (PageFiles.all["index.html"] ?? "").replacing("</head>", with: preloads + "</head>")
      .replacing(folder, with: "\(folder)\(version)/")
  }()

  /// The editor completes what the schema of documents has.
  private static let contents = PageFiles.all
    .merging(["schema.json": DocumentSchema.text, "index.html": index]) { $1 }
    .mapValues { text in
      let content = Data(text.utf8)
      return (content: content, tag: "\"\(SHA256Digest.hexadecimal(of: content))\"")
    }

  /// Nothing but the files of the page may run, and no other page may show it in a frame.
  ///
  /// https://www.w3.org/TR/CSP3/
  static let policy =
    "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; "
    + "form-action 'none'; require-trusted-types-for 'script'"

  static func type(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "json": "application/json"
    default: "text/javascript; charset=utf-8"
    }
  }

  /// The header fields of a file; `version` is that of its address, if that has one.
  static func fields(of name: String, tag: String, version: String?) -> HTTPFields {
    let stays = version == Self.version
    var fields: HTTPFields = [
      .contentType: type(of: name), .eTag: tag,
      .cacheControl: stays ? "private, max-age=31536000, immutable" : "no-cache",
    ]
    for (name, value) in [
      ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
      ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
    ] {
      if let name = HTTPField.Name(name) { fields[name] = value }
    }
    return fields
  }
}

extension AdminAPI {
  static let pageRoutes: [AdminRoute] = [
    AdminRoute("GET", "__stubdb", .open, takes: .anything) { _, request in
      try page("index.html", request)
    },
    AdminRoute("GET", "__stubdb/page/{name}", .open, takes: .anything) { _, request in
      try page(request.parameters[0], request)
    },
    // Of another version too: a page that is open asks for its worker after the program was replaced.
    AdminRoute("GET", "__stubdb/page/{version}/{name}", .open, takes: .anything) { _, request in
      try page(request.parameters[1], request, version: request.parameters[0])
    },
  ]

  private static func page(
    _ name: String, _ request: AdminRequest, version: String? = nil
  ) throws -> AdminAnswer {
    guard let file = Page.file(name) else {
      throw AdminProblem(
        404, "no-such-file", "No such file", "The page has no file \"\(name)\".")
    }
    let fields = Page.fields(of: name, tag: file.tag, version: version)
    if request.knows(file.tag) {
      return .whole(ResponseHead(status: 304, headers: fields), Data())
    }
    return .whole(ResponseHead(status: 200, headers: fields), file.content)
  }
}
#endif
