/// A client of the shop.
///
/// `CarelessShop` has twelve defects, and `CorrectedShop` has none; with the answers of every day both do the same.
protocol Shop: Actor {
  /// Makes a client that signs in with a token that has expired meanwhile.
  init(_ connection: Connection)

  /// What sends the requests.
  nonisolated var connection: Connection { get }

  /// The products on sale.
  func products() async throws -> [String]

  /// Has parcels sent to another city.
  func move(to city: String) async throws

  /// Takes money from the customer's card; returns the number of the charge.
  func charge(cents: Int) async throws -> String

  /// The number of the receipt of a charge.
  func receipt(of charge: String) async throws -> String

  /// The numbers of all orders.
  func orders() async throws -> [String]

  /// The customer's name.
  func customer() async throws -> String

  /// What vouchers are worth, in cents.
  func balance() async throws -> Int

  /// The last digits of the card to pay with; nil if the customer has none.
  func card() async throws -> String?

  /// The customer's name, which only a token gives.
  func profile() async throws -> String

  /// The products that the customer wishes, which only a token gives.
  func wishlist() async throws -> [String]

  /// The products that were found for the text in the search field.
  var found: [String] { get }

  /// Notes the text in the search field, and searches for it beside what goes on.
  func type(_ text: String) -> Task<Void, any Error>

  /// The products in the cart.
  var cart: [String] { get }

  /// Puts a product into the cart.
  func add(_ product: String) async throws

  /// How many of a product are left.
  func stock(of product: String) async throws -> Int
}

extension Shop {
  /// The titles of a screen of tiles, loaded one after the other.
  nonisolated func tiles(_ count: Int) async throws -> [String] {
    var titles: [String] = []
    for number in 1...count {
      let tile: Tile = try await connection.get("/tiles/\(number)")
      titles.append(tile.title)
    }
    return titles
  }
}

// MARK: - Answers

struct Products: Decodable { var products: [String] }

struct Address: Decodable { var city: String }

struct Charge: Decodable { var id: String }

struct Receipt: Decodable { var number: String }

struct Cards: Decodable {
  struct Card: Decodable { var ending: String }
  var cards: [Card]
}

struct Token: Decodable { var token: String }

struct Profile: Decodable { var name: String }

struct Price: Decodable { var cents: Int }

struct Line: Decodable { var product: String }

struct Stock: Decodable { var count: Int }

struct Tile: Decodable { var title: String }
