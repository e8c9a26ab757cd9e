/// Scenario documents in canonical form.
package enum ShopDocuments {
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
