import Foundation
import StubDBModel
import Testing

struct ScenarioDocumentTests {
  static let canonical = #"""
    {
      "scenario": "checkout/card-declined",
      "summary": "The bank refuses the card; a second try with another card succeeds",
      "tags": ["checkout", "errors"],
      "includes": ["session/signed-in"],
      "stubs": [
        {
          "key": "charge",
          "summary": "first charge refused, then accepted",
          "request": {
            "method": "POST",
            "url": "https://api.shop.test/v1/charges",
            "query": {
              "expand": "customer"
            },
            "headers": {
              "Authorization": {
                "matches": "Bearer .+"
              }
            },
            "body": {
              "equalToJson": {
                "amount": 1200
              },
              "ignoreExtraElements": true
            }
          },
          "responses": [
            {
              "status": 402,
              "headers": {
                "Retry-After": "1"
              },
              "json": {
                "error": "card_declined"
              },
              "delay": "200ms"
            },
            {
              "status": 201,
              "json": {
                "id": "ch_1"
              }
            }
          ]
        }
      ]
    }

    """#

  @Test func canonicalTextIsReadAndWrittenBackByteForByte() throws {
    let scenario = try ScenarioDocument.decode(Data(Self.canonical.utf8))
    #expect(ScenarioDocument.encode(scenario) == Self.canonical)
  }
}
