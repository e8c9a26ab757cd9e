#if Server
  import Foundation
  import StubDBTestSupport
  import Testing

  /// What the clients of a server can make it do, with a process of its own.
  struct ServeBoundsTests {
    #if os(Linux)
      /// 39 KB each, which unpack to 40 MB with 20 million values.
      @Test(arguments: [
        #"{"body": {"matchesJsonPath": {"expression": "$..id", "equalTo": "x"}}}"#,
        #"{"body": {"equalToJson": {"a": 1}}}"#,
      ])
      func eightBombsAtOnceTakeLessThanEightTimesTheMemoryAndNobodyElseWaits(request: String) throws
      {
        let box = try Sandbox()
        try box.write(
          "m.json",
          #"{"scenario": "m", "stubs": [{"key": "j", "request": \#(request)}, {"key": "a", "request": {"method": "GET", "path": "/a"}}]}"#
        )
        let result = try box.shell(
          """
          stubdb init m.stubdb 2> /dev/null; stubdb add --file m.json 2> /dev/null
          (printf '[1'; yes ,1 | tr -d '\\n' | head -c 40000000; printf ']') | gzip -9 > b.gz
          """
            + "\n"
            + ServeTests.serving(
              "m --port 0 --log none",
              """
              server=$!
              bomb() {
                curl -s -o /dev/null -w '%{http_code}\\n' -X POST --data-binary @b.gz \
                  -H 'Content-Encoding: gzip' -H 'Host: api.shop.test' "$url/j"
              }
              ask() { curl -s -m 300 -o /dev/null -w '%{http_code}\\n' "$url/a"; }
              peak() { awk '/^VmHWM/ { print $2 }' /proc/$server/status; }
              ask; none=$(peak)
              bomb; one=$(peak)
              for n in 1 2 3 4 5 6 7 8; do
                bomb > code$n &
                clients="$clients $!"
              done
              for client in $clients; do
                while kill -0 $client 2> /dev/null; do ask >> others; done
              done
              for client in $clients; do wait $client; done
              cat code? | sort | uniq | tr '\\n' ' '
              test $(($(peak) - none)) -lt $((8 * (one - none))) && echo small || peak
              sort others | uniq | tr '\\n' ' '
              # Had each waited for a bomb, there were no more of them than bombs.
              test $(wc -l < others) -gt 16 && echo meanwhile
              kill $server; wait $server; false
              """))
        let lines = result.out.split(separator: "\n").map(String.init)
        try #require(lines.count == 4, "\(result)")
        #expect(Array(lines[..<2]) == ["200", "404"], "\(result)")
        // Each is answered: nothing matches, or there is no memory for it at present.
        #expect(["404 small", "404 503 small", "503 small"].contains(lines[2]), "\(result)")
        #expect(lines[3] == "200 meanwhile", "\(result)")
      }
    #endif

    #if TLS
      @Test func aTunnelGetsTheAnswerOfItsOwnHostAndPort() throws {
        let box = try Sandbox()
        try box.write(
          "m.json",
          #"{"scenario": "m", "stubs": [{"key": "a", "request": {"url": "http://a.test:8443/x"}, "responses": [{"text": "A"}]}]}"#
        )
        let result = try box.shell(
          "stubdb init m.stubdb 2> /dev/null; stubdb add --file m.json 2> /dev/null\n"
            + ServeTests.serving(
              "m --port 0 --proxy --tls --admin-port 0 --log none",
              """
              url=http://${url#*//}
              for n in 1 2 3 4 5 6 7 8; do
                curl -s -H 'Host: a.test' -w '%{http_code} ' -o /dev/null "$url/x"
              done
              echo
              for n in 1 2 3 4 5 6 7 8; do
                curl -s --noproxy '' -p -x "$url" -w '%{http_code} ' -o /dev/null http://a.test/x
              done
              """))
        #expect(
          result.out == String(repeating: "200 ", count: 8) + "\n"
            + String(repeating: "404 ", count: 8), "\(result)")
      }
    #endif
  }
#endif
