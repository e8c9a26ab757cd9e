import Foundation
import StubDBSupport
import Testing

struct SHA256DigestTests {
  @Test(arguments: [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000])
  func digestsAreThoseOfTheStandardForEveryRest(count: Int) {
    let known = [
      0: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      1: "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb",
      55: "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318",
      56: "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a",
      63: "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34",
      64: "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb",
      65: "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0",
      119: "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb",
      120: "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c",
      1000: "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3",
    ]
    let text = SHA256Digest.hexadecimal(of: Data(repeating: UInt8(ascii: "a"), count: count))
    #expect(text == known[count])
  }

  @Test(arguments: [
    ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
  ])
  func digestsAreThoseOfTheStandard(text: String, count: Int, digest: String) {
    let data = Data(String(repeating: text, count: count).utf8)
    #expect(SHA256Digest.hexadecimal(of: data) == digest)
    var pieces = SHA256Digest()
    var rest = data[...]
    var size = 0
    while !rest.isEmpty {
      pieces.update(Data(rest.prefix(size)))
      rest = rest.dropFirst(size)
      size = (size + 1) % 200
    }
    #expect(pieces.finalized().hexadecimal == digest)
  }

  @Test func twoDigestsAtOnceAreThoseOfEach() {
    let data = Data((0..<400).map { UInt8(truncatingIfNeeded: $0 * 31) })
    for (length, other) in (0..<200).flatMap({ length in
      [0, 1, 55, 56, 63, 64, 65, 128, 200, 399 - length].map { (length, $0) }
    }) {
      let (one, two) = (data.prefix(length), data.suffix(other))
      let values = one.withUnsafeBytes { one in
        two.withUnsafeBytes { SHA256Digest.values(of: one, $0) }
      }
      #expect(bytes(of: values.0) == SHA256Digest.digest(of: Data(one)))
      #expect(bytes(of: values.1) == SHA256Digest.digest(of: Data(two)))
    }
  }

  private func bytes(of value: SHA256Digest.Value) -> Data {
    withUnsafeBytes(of: value) { Data($0) }
  }

  // https://www.rfc-editor.org/rfc/rfc4231#section-4
  @Test func messagesAreAuthenticated() {
    let long = Data(repeating: 0xAA, count: 131)
    let text = Data("Test Using Larger Than Block-Size Key - Hash Key First".utf8)
    #expect(
      SHA256Digest.hmac(key: long, text).hexadecimal
        == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
    #expect(
      SHA256Digest.hmac(key: Data("Jefe".utf8), Data("what do ya want for nothing?".utf8))
        .hexadecimal == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
  }
}
