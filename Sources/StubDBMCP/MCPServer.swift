internal import Foundation
package import StubDBJSON

/// Answers the messages of the Model Context Protocol, each on its own: nothing is kept from one to the next.
///
/// Clients of both eras are served. Since revision 2026-07-28 each request names its version; before, a connection
/// began with `initialize`. https://modelcontextprotocol.io/specification
package struct MCPServer {
  /// The revisions whose requests name their version, the newest first.
  static let statelessVersions = ["2026-07-28"]
  /// The revisions that begin with `initialize`, the newest first.
  static let handshakeVersions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]

  private let tools: [MCPTool]
  /// What the arguments of each tool must satisfy, by its name.
  private let schemas: [String: JSONSchema]
  private let context: MCPContext
  private let version: String
  private let missing: (String) -> String?
  private let message: (any Error) -> String

  /// - Parameters:
  ///   - tools: The tools that are offered.
  ///   - context: What they work on.
  ///   - version: The version of the program.
  ///   - missing: Why a tool with this name is not offered; nil for one that there is not at all.
  ///   - message: An error of a tool as text.
  /// - Throws: An error of the schema of a tool.
  package init(
    tools: [MCPTool], _ context: MCPContext, version: String,
    missing: @escaping (String) -> String?, message: @escaping (any Error) -> String
  ) throws {
    (self.tools, self.context, self.version) = (tools, context, version)
    (self.missing, self.message) = (missing, message)
    schemas = try Dictionary(
      uniqueKeysWithValues: tools.map { ($0.name, try JSONSchema($0.inputSchema)) })
  }

  /// The answer to a line of the input; nil if it asks for none.
  package func reply(to line: LineReader.Line) -> JSONValue? {
    guard case .text(let text) = line else {
      return failure(
        .invalidRequest, "a message has at most \(LineReader.largest) bytes", to: .null)
    }
    // Some clients end lines as on Windows, or leave one empty.
    if text.allSatisfy({ $0 == 0x20 || $0 == 0x0D }) { return nil }
    guard let message = try? JSONValue(parsing: text) else {
      return failure(.parseError, "the line is not JSON", to: .null)
    }
    // A batch, which a client of 2025-03-26 may send; later revisions have none, and do not send them.
    if case .array(let messages) = message, !messages.isEmpty {
      let replies = messages.compactMap(reply(to:))
      return replies.isEmpty ? nil : .array(replies)
    }
    return reply(to: message)
  }

  private func reply(to message: JSONValue) -> JSONValue? {
    guard case .object(let members) = message else {
      return failure(.invalidRequest, "a message is a JSON object", to: .null)
    }
    return reply(to: members)
  }

  private func reply(to message: JSONObject) -> JSONValue? {
    guard case .string(let method)? = message["method"] else {
      // An answer to a request, of which this server makes none.
      if message["result"] != nil || message["error"] != nil { return nil }
      return failure(.invalidRequest, "a message has a method", to: message["id"] ?? .null)
    }
    guard let id = message["id"] else { return nil }
    switch id {
    case .string, .number: break
    default: return failure(.invalidRequest, "the id is a string or a number", to: .null)
    }
    var parameters: JSONObject = [:]
    if case .object(let members)? = message["params"] { parameters = members }
    do throws(MCPFailure) {
      let result = try result(of: method, parameters)
      return ["jsonrpc": "2.0", "id": id, "result": .object(result)]
    } catch {
      return failure(error, to: id)
    }
  }

  private func result(
    of method: String, _ parameters: JSONObject
  ) throws(MCPFailure) -> JSONObject {
    let isStateless = try namesVersion(parameters)
    var result: JSONObject
    switch method {
    case "initialize": return initialized(parameters)
    case "ping" where !isStateless: return [:]
    case "server/discover":
      result = [
        "supportedVersions": .array(Self.allVersions), "capabilities": Self.capabilities,
        "instructions": .string(Self.instructions),
      ]
    case "tools/list": result = ["tools": .array(tools.map(\.description))]
    case "tools/call": result = try call(parameters)
    default:
      throw MCPFailure(.methodNotFound, "there is no method \"\(method)\"")
    }
    guard isStateless || method == "server/discover" else { return result }
    result["resultType"] = "complete"
    result["_meta"] = ["io.modelcontextprotocol/serverInfo": info]
    if method != "tools/call" {
      result["ttlMs"] = 3_600_000
      result["cacheScope"] = "private"
    }
    return result
  }

  /// Whether a request names its version, as it does since 2026-07-28.
  private func namesVersion(_ parameters: JSONObject) throws(MCPFailure) -> Bool {
    guard case .object(let meta)? = parameters["_meta"],
      case .string(let version)? = meta["io.modelcontextprotocol/protocolVersion"]
    else { return false }
    guard Self.statelessVersions.contains(version) else {
      throw MCPFailure(
        .unsupportedVersion, "the version \"\(version)\" is not known",
        data: ["requested": .string(version), "supported": .array(Self.allVersions)])
    }
    return true
  }

  private func initialized(_ parameters: JSONObject) -> JSONObject {
    var version = Self.handshakeVersions[0]
    if case .string(let asked)? = parameters["protocolVersion"],
      Self.handshakeVersions.contains(asked)
    {
      version = asked
    }
    return [
      "protocolVersion": .string(version), "capabilities": Self.capabilities,
      "serverInfo": info, "instructions": .string(Self.instructions),
    ]
  }

  /// Calls a tool.
  ///
  /// What the caller did wrong is a result too, so that an assistant reads it and tries again.
  private func call(_ parameters: JSONObject) throws(MCPFailure) -> JSONObject {
    guard case .string(let name)? = parameters["name"] else {
      throw MCPFailure(.invalidParameters, "a call has the name of a tool")
    }
    guard let tool = tools.first(where: { $0.name == name }), let schema = schemas[name] else {
      if let reason = missing(name) { return refusal(reason) }
      throw MCPFailure(.invalidParameters, "there is no tool \"\(name)\"")
    }
    let arguments = parameters["arguments"] ?? [:]
    if let violation = schema.violations(in: arguments).first {
      return refusal("The arguments of \(name) do not fit its schema: \(violation)")
    }
    guard case .object(let members) = arguments else { return refusal("Arguments are an object.") }
    do {
      let result = try tool.run(MCPArguments(members: members), context)
      return [
        "content": [["type": "text", "text": .string(result.canonicalText)]],
        "structuredContent": result, "isError": false,
      ]
    } catch {
      return refusal(message(error))
    }
  }

  private func refusal(_ message: String) -> JSONObject {
    ["content": [["type": "text", "text": .string(message)]], "isError": true]
  }

  private func failure(_ code: MCPFailure.Code, _ message: String, to id: JSONValue) -> JSONValue {
    failure(MCPFailure(code, message), to: id)
  }

  private func failure(_ failure: MCPFailure, to id: JSONValue) -> JSONValue {
    var error: JSONObject = [
      "code": .number(JSONNumber(failure.code.rawValue)), "message": .string(failure.message),
    ]
    error["data"] = failure.data
    return ["jsonrpc": "2.0", "id": id, "error": .object(error)]
  }
}

// MARK: The description of the server

extension MCPServer {
  private static var allVersions: [JSONValue] {
    (statelessVersions + handshakeVersions).map(JSONValue.string)
  }

  private static let capabilities: JSONValue = ["tools": ["listChanged": false]]

  private var info: JSONValue {
    [
      "name": "stubdb", "title": "stubdb",
      "version": .string(version),
    ]
  }

  private static let instructions = """
    stubdb keeps HTTP stubs as named scenarios in a catalog file; tests load a scenario by its name. A \
    stub has a request pattern and the responses that it gives in turn. Use match to see which stub \
    answers a request, or why none does; schema describes the documents. With a server, journal shows what \
    clients have asked it, and start_session gives a client a run of its own.
    """
}

/// An error of the protocol itself. https://www.jsonrpc.org/specification#error_object
struct MCPFailure: Error {
  enum Code: Int {
    case parseError = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParameters = -32602
    case unsupportedVersion = -32022
  }

  let code: Code
  let message: String
  let data: JSONValue?

  init(_ code: Code, _ message: String, data: JSONValue? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }
}
