import Testing

@testable import Signing

@Suite struct SignatureTests {
  private let verifier = SignatureVerifier()

  @Test func `at least fifteen test vectors exist`() {
    #expect(Vector.all.count >= 15)
  }

  @Test(arguments: Vector.all)
  func `a request that botocore signed is accepted`(vector: Vector) throws {
    let claim = try UnverifiedSignature(vector.request)
    #expect(claim.keyID == Vector.keyID)
    try verifier.check(claim, of: vector.request, with: Vector.secret, at: Vector.time)
  }

  @Test(arguments: Vector.all)
  func `a verifier with another secret refuses a request that botocore signed`(
    vector: Vector
  ) throws {
    let claim = try UnverifiedSignature(vector.request)
    for secret in ["", Vector.secret.text + "x", String(Vector.secret.text.dropLast())] {
      #expect(throws: SignatureError.self) {
        try verifier.check(claim, of: vector.request, with: SigningSecret(secret), at: Vector.time)
      }
    }
  }

  @Test(arguments: Vector.all.filter { $0.headers.allSatisfy { !$0[0].hasPrefix("X-Custom") } })
  func `the signer produces the same signature as botocore`(vector: Vector) throws {
    var request = vector.request
    let signed = ["Authorization", "X-Amz-Date"]
    let headers = request.headers.filter { signed.contains($0.name) }
    request.headers.removeAll { signed.contains($0.name) || $0.name == "X-Empty" }
    let signer = RequestSigner(
      keyID: Vector.keyID, secret: Vector.secret, region: vector.region)
    let ours = signer.headers(for: request, at: Vector.time)
    if vector.headers.allSatisfy({ $0[0] != "X-Empty" }) { #expect(Set(ours) == Set(headers)) }
    request.headers += ours
    try verifier.check(
      UnverifiedSignature(request), of: request, with: Vector.secret, at: Vector.time)
  }

  // MARK: The reference's two examples, step by step

  @Test func `the first example of REST.md has the documented hash and signature`() throws {
    let request = SignableRequest(
      method: "GET", path: "/meetings/..%2Fx%20y/attendees",
      query: "max-results=5&next-token=a%2Bb%3D",
      headers: [.init("Host", "127.0.0.1:8080"), .init("X-Amz-Date", "20260102T030405Z")])
    let canonical = CanonicalRequest(of: request, signing: ["host", "x-amz-date"])
    #expect(
      canonical.text == """
        GET
        /meetings/..%252Fx%2520y/attendees
        max-results=5&next-token=a%2Bb%3D
        host:127.0.0.1:8080
        x-amz-date:20260102T030405Z

        host;x-amz-date
        e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
        """)
    #expect(
      CanonicalRequest.hash(of: Array(canonical.text.utf8))
        == "0f496767d8f72cd44b22e9799e090479aeb043a36e50bb4c894df094879cdc58")
    #expect(
      signature(of: canonical)
        == "a699e507da92a5e7a87c9eacd344560cda228faa2871ae23b96f90fdc2452c30")
  }

  @Test func `the second example of REST.md has the documented hash and signature`() throws {
    let body =
      #"{"ClientRequestToken":"tok-1","MediaRegion":"us-east-1","ExternalMeetingId":"demo"}"#
    let request = SignableRequest(
      method: "POST", path: "/meetings",
      headers: [
        .init("content-type", "application/json"), .init("Host", "127.0.0.1:8080"),
        .init("X-Amz-Date", "20260102T030405Z"),
      ], body: Array(body.utf8))
    let canonical = CanonicalRequest(
      of: request, signing: ["content-type", "host", "x-amz-date"])
    #expect(
      CanonicalRequest.hash(of: Array(canonical.text.utf8))
        == "99f19558093f12162c227309c27e0a0fb7a85bbf50a60f71edf1ff6ea49c4b88")
    #expect(
      signature(of: canonical)
        == "66423f1feb4b8c8bbce808f461ef0ad9a8f15a039136e846edf0aa54d5207ccd")
  }

  private func signature(of canonical: CanonicalRequest) -> String {
    Signature.text(
      of: canonical, at: SigningTime(seconds: Vector.time),
      in: CredentialScope(date: "20260102", region: "us-east-1"), with: Vector.secret)
  }

  @Test func `no description of a secret shows the secret`() {
    #expect(!"\(Vector.secret)".contains("carillon/"))
    #expect(!String(reflecting: Vector.secret).contains("carillon/"))
    var text = ""
    dump(Vector.secret, to: &text)
    let local = LocalAccessKey(endpoint: "http://h:1", keyID: "K", secret: Vector.secret)
    dump(local, to: &text)
    text += "\(local) \(String(reflecting: local))"
    #expect(!text.contains("carillon/"))
  }
}
