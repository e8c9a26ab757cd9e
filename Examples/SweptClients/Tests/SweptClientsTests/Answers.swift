/// What the shop answers, as an app that allows for later versions of it reads it.
struct Orders: Decodable, Sendable {
  struct Order: Decodable, Sendable {
    var id: String
    var status: String
  }
  var orders: [Order]
}

struct Address: Decodable, Sendable { var city: String }

struct Charge: Decodable, Sendable { var id: String }

struct Products: Decodable, Sendable { var products: [String] }

struct Profile: Decodable, Sendable { var name: String }

struct Token: Decodable, Sendable { var token: String }

struct Tile: Decodable, Sendable { var title: String }
