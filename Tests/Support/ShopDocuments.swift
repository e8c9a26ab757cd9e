/// Scenario documents in canonical form.
package enum ShopDocuments {
  private static let twoTries = """
    [
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
    """

  /// Has a sequence, a delay and an included scenario.
  package static let paid = """
    {
      "scenario": "checkout/paid",
      "summary": "The bank accepts the card",
      "tags": ["checkout", "smoke"],
      "includes": ["session/signed-in"],
      "stubs": [
        {
          "key": "charge",
          "request": {
            "method": "POST",
            "url": "https://api.shop.test/v1/charges",
            "body": {
              "equalToJson": {
                "amount": 1200
              }
            }
          },
          "responses": \(twoTries)
        }
      ]
    }

    """

  /// The example of the documentation.
  package static let declined = """
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
          "responses": \(twoTries)
        }
      ]
    }

    """

  package static let signedIn = """
    {
      "scenario": "session/signed-in",
      "stubs": [
        {
          "key": "me",
          "request": {
            "method": "GET",
            "url": "https://api.shop.test/v1/me"
          },
          "responses": [
            {
              "text": "Ada"
            }
          ]
        }
      ]
    }

    """

  package static let both = "[\(paid),\(signedIn)]"
}
