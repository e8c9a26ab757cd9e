import Shop
import StubDBTesting
import Testing

@Suite(.catalog("shop.stubdb"))
struct CheckoutTests {
}
