import Foundation
import StubDBTestSupport
import Testing

/// The program that carries out the requests of `stubdb push` and `pull`.
struct TransferTests {
  /// A server that keeps connections, but ends one that is used for content after another request.
  ///
  /// It answers with the size of the content, and gives up on a client that sends too little of it.
  private static let script = """
    import base64, http.server, json, subprocess, sys, threading
    class Server(http.server.BaseHTTPRequestHandler):
        protocol_version, timeout, requests = "HTTP/1.1", 2, 0
        def answer(self):
            self.requests += 1
            content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if self.command == "PUT" and self.requests > 1:
                self.close_connection = True
                return
            size = str(len(content)).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(size)))
            self.end_headers()
            self.wfile.write(size)
        do_GET = do_PUT = answer
        def log_message(self, *_):
            pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    program = subprocess.Popen([sys.argv[1], "transfer"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    content = base64.b64encode(b"x" * 70000).decode()
    for more in ({}, {"content": content}, {}, {"contentFile": sys.argv[2]}, {"content": content}, {}):
        request = {"method": "PUT" if more else "GET", "url": f"http://127.0.0.1:{server.server_port}/x",
                   "fields": {}, "limit": 1000, "followsRedirects": False, "timeout": 20, **more}
        program.stdin.write(json.dumps(request).encode() + b"\\n")
        program.stdin.flush()
        answer = None
        while answer is None:
            answer = json.loads(program.stdout.readline()).get("answer")
        print(answer.get("status"), base64.b64decode(answer["content"]).decode(), answer.get("failure", ""))
    program.stdin.close()
    program.wait()
    """

  @Test func anUploadDoesNotUseAConnectionThatWasKept() throws {
    let box = try Sandbox()
    let file = try box.write("content", String(repeating: "x", count: 90_000))
    let program = Sandbox.binary.deletingLastPathComponent().appendingPathComponent("stubdb-fetch")
    let result = try box.run(
      executable: URL(fileURLWithPath: "/usr/bin/env"),
      arguments: ["python3", "-c", Self.script, program.path, file.path])
    #expect(
      result.out.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        == ["200 0", "200 70000", "200 0", "200 90000", "200 70000", "200 0"], "\(result)")
  }
}
