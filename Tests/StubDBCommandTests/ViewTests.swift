import Foundation
import StubDBDocuments
import StubDBEngine
import StubDBJSON
import StubDBJobs
import StubDBModel
import StubDBSupport
import Testing

@testable import StubDBCommand

struct ViewTests {
  @Test func theFramesOfAWebSocketAreShown() throws {
    let document = #"""
      {"key":"a","responses":[{"delay":"1s","webSocket":{"protocol":"orders.v1","frames":[
        {"send":{"json":{"type":"hello"}}},
        {"expect":[{"contains":"a"},{"equalToJson":{"b":1}}],"within":"2s"},
        {"send":{"base64":"AAE="},"after":"300ms"},{"send":{"text":"x"}}],
        "repeatFrom":1,"otherwise":"echo"}},
       {"webSocket":{"frames":[{"close":1001,"reason":"bye","after":"1s"}]}},
       {"webSocket":{"frames":[{"fault":"never"}],"otherwise":"ignore"}}]}
      """#
    guard
      case .stubs(let stubs) = try ScenarioDocument.decodeStubs(Data(document.utf8))
    else { return }
    let lines = StubView(stub: try #require(stubs.first), style: Style(isColored: false)).lines
    #expect(
      lines.joined(separator: "\n") == #"""
        a
          any request
          -> 1. a WebSocket with orders.v1: 4 frames after 1s
             0. sends {"type":"hello"}
             1. expects a message, body contains "a" and body is JSON {"b":1}, within 2s
             2. sends (2 bytes of binary content) after 300ms
             3. sends x
             then again from 1
             sends messages back that are not expected
          -> 2. a WebSocket: 1 frame
             0. closes with 1001 "bye" after 1s
          -> 3. a WebSocket: 1 frame
             0. fault never
             ignores messages that are not expected
          then repeats the last response
        """#)
  }

  /// Every part of a pattern and of a response is shown in words.
  @Test func everythingOfAStubIsShown() throws {
    let document = #"""
      {"key":"a","priority":1,"required":true,"summary":"all of it",
       "request":{"method":["GET","HEAD"],"host":{"matches":".*\\.shop\\.test"},
        "path":{"doesNotMatch":"/v1/.*"},"queryIsExact":true,
        "query":{"a":["1","2"],"b":{"absent":true},"n":{"greaterThanNumber":3}},
        "cookies":{"s":{"or":["x",{"contains":"y"}]}},
        "basicAuth":{"username":"u","password":"secret"},
        "body":[{"matchesJsonPath":"$.a"},{"not":{"contains":"x"}}]},
       "responses":[
        {"status":503,"delay":{"uniform":["100ms","300ms"]},"repeat":3},
        {"chunks":[{"text":"a","after":"1s"},{"json":{"b":1}}]},
        {"error":{"domain":"Shop","code":3}},
        {"base64":"AAAA","headers":{"A":["1","2"]},
         "delay":{"lognormal":{"median":"80ms","sigma":0.4}}},
        {"fault":"truncated","afterBytes":1,"text":"ab"}],
       "then":"cycle","flow":{"name":"order","requires":"started","becomes":"paid"}}
      """#
    guard
      case .stubs(let stubs) = try ScenarioDocument.decodeStubs(Data(document.utf8))
    else { return }
    let lines = StubView(stub: try #require(stubs.first), style: Style(isColored: false)).lines
    #expect(
      lines.joined(separator: "\n") == #"""
        a  all of it; priority 1; required
          GET|HEAD any URL
            host matches ".*\.shop\.test"
            path does not match "/v1/.*"
            query a is exactly "1", "2"
            query b is absent
            query n > 3
            no other query parameters
            cookie s is "x" or contains "y"
            basic authentication as "u"
            body $.a selects something
            body not (contains "x")
            flow order is in state "started", becomes "paid"
          -> 1. status 503 after 100ms to 300ms, 3 times
          -> 2. status 200
             piece after 1s:
               a
             piece after 0s:
               {"b":1}
          -> 3. error Shop 3
          -> 4. status 200 after about 80ms (lognormal, sigma 0.4)
             A: 1
             A: 2
             (3 bytes of binary content)
          -> 5. fault truncated after 1 byte of content
             ab
          then begins again with the first
        """#)
  }

  @Test(arguments: [
    (#"{}"#, "any request"),
    (#"{"method":"GET"}"#, "GET any URL"),
    (#"{"url":"/v1/{id}"}"#, "any method /v1/{id}"),
    (#"{"url":"http://localhost:8080/x/**"}"#, "any method http://localhost:8080/x/**"),
    (#"{"method":"GET","host":"a.test"}"#, "GET *://a.test/**"),
    (#"{"scheme":"https","path":{"contains":"a"}}"#, "any method https://*/…"),
    (#"{"port":81}"#, "any method *://*:81/**"),
  ])
  func requestLines(pattern: String, line: String) throws {
    guard case .object(let members) = try JSONValue(parsing: pattern) else { return }
    #expect(try RequestPattern(jsonObject: members).phrase.line == line)
  }

  @Test func wordsForAShell() {
    #expect(ShellWord.quoted("checkout/paid") == "checkout/paid")
    #expect(ShellWord.quoted("it's") == #"'it'\''s'"#)
    #expect(ShellWord.quoted("a b&c?d") == "'a b&c?d'")
    #expect(ShellWord.quoted("") == "''")
  }
}
