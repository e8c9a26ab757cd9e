internal import StubDBDocuments
internal import StubDBJSON
internal import StubDBModel
internal import StubDBSupport

/// The kinds of values in a document that comparing and merging distinguish.
///
/// Keys that are not named here are `plain`: objects are merged by member, lists by element, and everything else as a
/// whole. So a new key of the document is compared and merged without a change here.
enum NodeKind {
  /// Any value: a part without special rules, or JSON content.
  case plain
  /// A scenario without its stubs.
  case header
  /// Strings without an order, each at most once.
  case words
  /// A method, or a list of them.
  case methods
  case stub
  case request
  /// Patterns by name: query, cookies.
  case patterns
  /// The same for header fields.
  case headerPatterns
  /// A pattern, or a list of patterns.
  case pattern
  case responses
  case response
  /// Header fields by name.
  case headers
  case chunks
  case chunk
  case webSocket
  case frames
  case frame
  /// A message of a WebSocket.
  case message
  /// When and from where a stub was recorded.
  case recording

  /// The kind of a member of an object of this kind.
  func member(_ name: String) -> NodeKind {
    switch self {
    case .header: name == "tags" ? .words : .plain
    case .stub:
      switch name {
      case "request": .request
      case "responses": .responses
      case "recorded": .recording
      default: .plain
      }
    case .request: Self.part(name)
    case .patterns, .headerPatterns: .pattern
    case .pattern:
      switch BodyPattern.operands[name] {
      case .json, .object: .plain
      case .patternsByName: .patterns
      case .pattern, .bytes, nil: .pattern
      }
    case .response:
      switch name {
      case "headers": .headers
      case "chunks": .chunks
      case "webSocket": .webSocket
      default: .plain
      }
    case .webSocket: name == "frames" ? .frames : .plain
    case .frame:
      switch name {
      case "send": .message
      case "expect": .pattern
      default: .plain
      }
    case .plain, .words, .methods, .responses, .headers, .chunks, .chunk, .frames, .message,
      .recording:
      .plain
    }
  }

  /// The kind of a part of a request.
  private static func part(_ name: String) -> NodeKind {
    switch demands[name] {
    case .methods: .methods
    case .value, .bodies: .pattern
    case .named: name == RequestPart.headers.rawValue ? .headerPatterns : .patterns
    case .other, nil: .plain
    }
  }

  /// The kind of an element of a list of this kind.
  var element: NodeKind {
    switch self {
    case .pattern: .pattern
    case .responses: .response
    case .chunks: .chunk
    case .frames: .frame
    default: .plain
    }
  }

  /// Whether the case of names does not count.
  var ignoresCase: Bool { self == .headers || self == .headerPatterns }

  /// Whether a value of this kind that both sides added is merged as a whole rather than by member.
  var isAtomic: Bool {
    switch self {
    case .request, .pattern, .response, .chunk, .webSocket, .frame, .message: true
    default: false
    }
  }

  /// The keys of which an object of this kind has exactly one, which says what it is.
  func choice(in members: JSONObject) -> Set<String> {
    switch self {
    case .pattern: Self.operators.intersection(members.keys)
    case .response: Self.answers.intersection(members.keys)
    case .chunk, .message: Self.contents.intersection(members.keys)
    case .frame: Self.frameKinds.intersection(members.keys)
    default: []
    }
  }

  /// The keys in the order in which they are shown.
  func ordered(_ keys: Set<ByteText>) -> [String] {
    let known: [String] =
      switch self {
      case .header: DocumentObjectKind.scenario.keys
      case .stub: DocumentObjectKind.stub.keys
      case .request: DocumentObjectKind.request.keys
      case .response: DocumentObjectKind.response.keys
      case .webSocket: DocumentObjectKind.webSocket.keys
      case .frame: DocumentObjectKind.frame.keys
      default: []
      }
    let sorted = keys.sorted().map(\.string)
    guard !known.isEmpty else { return sorted }
    let rest = sorted.filter { !known.contains($0) }
    return known.filter(sorted.contains) + rest
  }

  /// What each part of a request is asked for; the patterns themselves do not matter.
  private static let demands = Dictionary(
    uniqueKeysWithValues: RequestPart.all.map {
      ($0.rawValue, $0.demand(of: RequestPattern()))
    })
  private static let operators = Set(DocumentOperators.body.names)
  private static let contents: Set<String> = ["json", "text", "base64"]
  private static let answers = contents.union(["webSocket"])
  private static let frameKinds = Set(DocumentObjectKind.frameKinds)
}
