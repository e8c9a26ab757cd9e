import Foundation
import Testing

@testable import StubDBRemote

/// The examples that AWS publishes.
struct AWSSignatureTests {
  private static let s3 = AWSSignature(
    region: "us-east-1", service: "s3",
    credentials: AWSCredentials(
      keyID: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
    timestamp: "20130524T000000Z")
  private static let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  private static func fields(_ digest: String, _ more: [String: String] = [:]) -> [String: String] {
    more.merging([
      "Host": "examplebucket.s3.amazonaws.com", "x-amz-content-sha256": digest,
      "x-amz-date": "20130524T000000Z",
    ]) { $1 }
  }

  // https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
  @Test func theExamplesOfS3AreSigned() {
    let put = "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072"
    let requests = [
      AWSSignature.Request(
        method: "GET", path: "/test.txt", query: [],
        fields: Self.fields(Self.empty, ["Range": "bytes=0-9"]), contentDigest: Self.empty),
      AWSSignature.Request(
        method: "PUT", path: URLText.path("/test$file.text"), query: [],
        fields: Self.fields(
          put,
          ["Date": "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY"]),
        contentDigest: put),
      AWSSignature.Request(
        method: "GET", path: "/", query: [("lifecycle", "")], fields: Self.fields(Self.empty),
        contentDigest: Self.empty),
      AWSSignature.Request(
        method: "GET", path: "/", query: [("prefix", "J"), ("max-keys", "2")],
        fields: Self.fields(Self.empty), contentDigest: Self.empty),
    ]
    let signatures = requests.map { request in
      Self.s3.authorization(of: request).components(separatedBy: "Signature=").last
    }
    #expect(
      signatures == [
        "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
        "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
        "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
        "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
      ])
    #expect(
      Self.s3.authorization(of: requests[0]).hasPrefix(
        "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
          + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, Signature="))
  }

  /// `get-vanilla` and `get-vanilla-query-order-key-case` of the test suite for version 4.
  @Test func theTestSuiteIsSigned() {
    let signature = AWSSignature(
      region: "us-east-1", service: "service",
      credentials: AWSCredentials(
        keyID: "AKIDEXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"),
      timestamp: "20150830T123600Z")
    func signed(_ query: [(String, String)]) -> String? {
      signature.authorization(
        of: AWSSignature.Request(
          method: "GET", path: "/", query: query,
          fields: ["Host": "example.amazonaws.com", "X-Amz-Date": "20150830T123600Z"],
          contentDigest: Self.empty)
      ).components(separatedBy: "Signature=").last
    }
    #expect(signed([]) == "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31")
    #expect(
      signed([("Param2", "value2"), ("Param1", "value1")])
        == "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500")
  }

  @Test func aPathIsEncodedOnceAndMomentsAreInUTC() {
    #expect(URLText.path("/a b/ü+~.stubdb") == "/a%20b/%C3%BC%2B~.stubdb")
    #expect(
      AWSSignature.timestamp(Date(timeIntervalSince1970: 1_369_353_600)) == "20130524T000000Z")
  }
}
