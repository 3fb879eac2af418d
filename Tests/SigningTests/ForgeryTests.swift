import Testing

@testable import Signing

/// Tests of signatures that are old, forged, truncated or damaged.
@Suite struct ForgeryTests {
  private let request: SignableRequest = {
    var request = SignableRequest(
      method: "POST", path: "/meetings", query: "operation=create-attendees",
      headers: [.init("Host", "h:8080"), .init("Content-Type", "application/json")],
      body: Array("{}".utf8))
    let signer = RequestSigner(keyID: Vector.keyID, secret: Vector.secret)
    request.headers += signer.headers(for: request, at: Vector.time)
    return request
  }()

  private func outcome(
    of request: SignableRequest, at time: Int64 = Vector.time,
    by verifier: SignatureVerifier = SignatureVerifier()
  ) -> SignatureError? {
    do {
      try verifier.check(UnverifiedSignature(request), of: request, with: Vector.secret, at: time)
      return nil
    } catch {
      return error
    }
  }

  /// Returns the request with another `Authorization` header.
  private func authorized(_ change: (String) -> String) -> SignableRequest {
    var changed = request
    for index in changed.headers.indices where changed.headers[index].name == "Authorization" {
      changed.headers[index].value = change(changed.headers[index].value)
    }
    return changed
  }

  @Test func `the unchanged request is accepted`() {
    #expect(outcome(of: request) == nil)
  }

  @Test(arguments: [-301, -300, -60, 0, 60, 300, 301, 900, 86_400])
  func `only a time stamp within five minutes is accepted`(offset: Int64) {
    let outcome = outcome(of: request, at: Vector.time + offset)
    #expect((outcome == nil) == (abs(offset) <= 300))
    if let outcome { #expect(outcome.isInvalid) }
  }

  @Test func `the tolerance for time stamps is configurable`() {
    let strict = SignatureVerifier(tolerance: .seconds(1))
    #expect(outcome(of: request, at: Vector.time + 1, by: strict) == nil)
    #expect(outcome(of: request, at: Vector.time + 2, by: strict)?.isInvalid == true)
  }

  @Test func `a request is refused if any signed part has changed`() {
    var changes: [SignableRequest] = []
    func change(_ body: (inout SignableRequest) -> Void) {
      var changed = request
      body(&changed)
      changes.append(changed)
    }
    change { $0.method = "PUT" }
    change { $0.method = "post" }
    change { $0.path = "/meeting" }
    change { $0.path = "/meetings/" }
    change { $0.path = "/Meetings" }
    change { $0.query = "" }
    change { $0.query += "&a=b" }
    change { $0.query += "&" }
    change { $0.body = [] }
    change { $0.body.append(0x20) }
    change { $0.body[0] ^= 1 }
    change { $0.headers[0].value = "h:8081" }
    change { $0.headers[0].value = "h" }
    change { $0.headers[1].value = "text/plain" }
    change { $0.headers.append(.init("HOST", "evil")) }
    change { $0.headers.remove(at: 1) }
    change { $0.headers.remove(at: 0) }
    change { $0.headers[2].value = "20260102T030406Z" }
    for changed in changes { #expect(outcome(of: changed)?.isInvalid == true) }
  }

  @Test func `changed headers that are not signed are accepted`() {
    var changed = request
    changed.headers += [.init("User-Agent", "x"), .init("Accept-Encoding", "identity")]
    #expect(outcome(of: changed) == nil)
  }

  @Test func `a change of any digit of the signature is refused`() throws {
    let header = try #require(request.values(of: "authorization").first)
    for offset in 1...64 {
      let index = header.index(header.endIndex, offsetBy: -offset)
      let forged = header[index] == "0" ? "1" : "0"
      let changed = authorized { $0[..<index] + forged + $0[header.index(after: index)...] }
      #expect(outcome(of: changed)?.isInvalid == true)
    }
  }

  @Test func `an authorization header truncated at any place is refused`() throws {
    let header = try #require(request.values(of: "authorization").first)
    for count in 0..<header.count {
      let outcome = outcome(of: authorized { String($0.prefix(count)) })
      #expect(outcome?.isIncomplete == true, "\(count)")
    }
  }

  @Test(arguments: [
    "", " ", "AWS4-HMAC-SHA256", "Basic dXNlcjpwYXNz", "Bearer x", "AWS4-HMAC-SHA512 KEEP",
    "aws4-hmac-sha256 KEEP", "KEEP,", "KEEP, KEEP", "KEEP, Extra=1", "KEEP, Signature=0",
    "AWS4-HMAC-SHA256 Credential=,SignedHeaders=,Signature=",
    "AWS4-HMAC-SHA256 Credential=a/b/c/d/e", "AWS4-HMAC-SHA256 ,,,", "\u{0}", "AWS4-HMAC-SHA256 =",
    "AWS4-HMAC-SHA256 Credential=////,SignedHeaders=host,Signature=0",
  ])
  func `a malformed authorization header is refused`(garbage: String) {
    let changed = authorized { header in
      garbage.replacing("KEEP", with: header.replacing("AWS4-HMAC-SHA256 ", with: ""))
        .replacing("AWS4-HMAC-SHA256, ", with: "AWS4-HMAC-SHA256 ")
    }
    let outcome = outcome(of: changed)
    #expect(outcome != nil)
    #expect(outcome?.isIncomplete == true || garbage.hasPrefix("KEEP"))
  }

  @Test(arguments: [
    ("/20260102/", "/20260103/", false), ("/us-east-1/", "/US_EAST/", false),
    ("/us-east-1/", "//", true), ("/us-east-1/", "/eu-west-1/", false),
    ("/chime/", "/s3/", false), ("/chime/", "/meetings-chime/", false),
    ("/aws4_request", "/aws4_requests", false), ("/aws4_request", "", true),
    ("/aws4_request", "/aws4_request/x", true), ("/us-east-1/", "/us-east-1\n/", false),
    ("host;", "", false), ("x-amz-date", "x-amz-datf", false), ("host;", "Host;", true),
    ("content-type;host;", "host;content-type;", true), ("host;", "host;host;", true),
    ("host;", "host;;", true), (";x-amz-date", "", false),
    ("SignedHeaders=", "SignedHeaders=;", true), ("CARILLONTESTKEY01", "", true),
    ("CARILLONTESTKEY01", "A B", true), ("Signature=", "Signature=0x", true),
  ])
  func `a wrong scope or list of signed headers is refused`(
    part: String, other: String, isIncomplete: Bool
  ) {
    let outcome = outcome(of: authorized { $0.replacing(part, with: other) })
    #expect(isIncomplete ? outcome?.isIncomplete == true : outcome?.isInvalid == true)
  }

  @Test func `a wrong scope is refused even with a correct signature`() throws {
    for change: (inout CredentialScope) -> Void in [
      { $0.date = "20260103" }, { $0.service = "s3" }, { $0.terminator = "aws4" },
      { $0.region = "MARS" }, { $0.region = String(repeating: "a", count: 65) },
    ] {
      var scope = CredentialScope(date: "20260102", region: "us-east-1")
      change(&scope)
      #expect(outcome(of: signed(in: scope, ["host", "x-amz-date"]))?.isInvalid == true)
    }
    let scope = CredentialScope(date: "20260102", region: "us-east-1")
    #expect(outcome(of: signed(in: scope, ["host", "x-amz-date"])) == nil)
    #expect(outcome(of: signed(in: scope, ["host"]))?.isInvalid == true)
    #expect(outcome(of: signed(in: scope, ["x-amz-date"]))?.isInvalid == true)
  }

  @Test func `a verifier with a list of regions refuses other regions`() {
    let here = SignatureVerifier(regions: ["eu-west-1"])
    #expect(outcome(of: request, by: here)?.isInvalid == true)
    let scope = CredentialScope(date: "20260102", region: "eu-west-1")
    #expect(outcome(of: signed(in: scope, ["host", "x-amz-date"]), by: here) == nil)
  }

  /// Returns the request, signed with the right secret for the given scope and the given list of
  /// headers.
  private func signed(in scope: CredentialScope, _ names: [String]) -> SignableRequest {
    let time = SigningTime(seconds: Vector.time)
    let canonical = CanonicalRequest(of: request, signing: names)
    let signature = Signature.text(of: canonical, at: time, in: scope, with: Vector.secret)
    return authorized { _ in
      "AWS4-HMAC-SHA256 Credential=\(Vector.keyID)/\(scope.text),"
        + "SignedHeaders=\(names.joined(separator: ";")),Signature=\(signature)"
    }
  }

  @Test(arguments: [
    "", "2026-01-02T03:04:05Z", "20260102T030405", "20260102T030405z", "20260230T030405Z",
    "20260102T250405Z", "20260102T030405+00", "x", "20260102T030405Z ", "99999999T999999Z",
  ])
  func `a malformed time stamp is refused`(stamp: String) {
    var changed = request
    changed.headers[2].value = stamp
    #expect(outcome(of: changed)?.isIncomplete == true)
  }

  @Test func `a request with two time stamps or without a time stamp is refused`() {
    var twice = request
    twice.headers.append(twice.headers[2])
    #expect(outcome(of: twice)?.isIncomplete == true)
    var nowhere = request
    nowhere.headers.remove(at: 2)
    #expect(outcome(of: nowhere)?.isIncomplete == true)
  }

  @Test(arguments: ["Fri, 02 Jan 2026 03:04:05 GMT", "20260102T030405Z"])
  func `the Date header gives the time if there is no X-Amz-Date header`(date: String) {
    var dated = request
    dated.headers[2] = .init("Date", date)
    let time = SigningTime(seconds: Vector.time)
    let scope = CredentialScope(date: "20260102", region: "us-east-1")
    let canonical = CanonicalRequest(of: dated, signing: ["date", "host"])
    let signature = Signature.text(of: canonical, at: time, in: scope, with: Vector.secret)
    for index in dated.headers.indices where dated.headers[index].name == "Authorization" {
      dated.headers[index].value =
        "AWS4-HMAC-SHA256 Credential=\(Vector.keyID)/\(scope.text), "
        + "SignedHeaders=date;host, Signature=\(signature)"
    }
    #expect(outcome(of: dated) == nil)
    #expect(outcome(of: dated, at: Vector.time + 301)?.isInvalid == true)
  }

  @Test func `a header with a wrong hash of the body is refused`() {
    var hashed = request
    hashed.headers.append(.init("X-Amz-Content-SHA256", CanonicalRequest.hash(of: request.body)))
    #expect(outcome(of: hashed) == nil)
    for value in ["UNSIGNED-PAYLOAD", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD", "", "0"] {
      hashed.headers[hashed.headers.count - 1].value = value
      #expect(outcome(of: hashed)?.isInvalid == true)
    }
  }

  @Test func `a request with a session token is unrecognized`() {
    var token = request
    token.headers.append(.init("X-Amz-Security-Token", "x"))
    guard case .unrecognized = outcome(of: token) else {
      Issue.record("It must be unrecognized.")
      return
    }
  }

  @Test func `a request with two authorization headers or without such a header is refused`() {
    var changed = request
    changed.headers.append(.init("authorization", "AWS4-HMAC-SHA256 x"))
    #expect(outcome(of: changed)?.isIncomplete == true)
    changed.headers.removeAll { $0.name.lowercased() == "authorization" }
    #expect(outcome(of: changed)?.isMissing == true)
    changed.query = "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=\(request.path)"
    #expect(outcome(of: changed)?.isMissing == true)
  }

  @Test func `random bytes in the authorization header are refused`() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0...200)).map { _ in
        UInt8.random(in: 1...255, using: &generator)
      }
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(outcome(of: authorized { _ in text }) != nil)
      #expect(outcome(of: authorized { $0.replacing("/us-east-1/", with: "/\(text)/") }) != nil)
    }
  }
}

extension SignatureError {
  fileprivate var isMissing: Bool {
    if case .missing = self { true } else { false }
  }

  fileprivate var isIncomplete: Bool {
    if case .incomplete = self { true } else { false }
  }

  fileprivate var isInvalid: Bool {
    if case .invalid = self { true } else { false }
  }
}
