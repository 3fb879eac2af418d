import MeetingModel
import Synchronization
import Testing

@testable import Gateway

@Suite struct ErrorTests {
  @Test func `each response has its own request id, and each error has a code and a message`()
    async throws
  {
    try await withControl { fixture in
      let meeting = try await fixture.face.makeMeeting()
      let good = await fixture.face.send("GET", "/meetings/\(meeting)")
      let bad = await fixture.face.send("GET", "/meetings/\(MeetingID.random().text)")
      #expect(good.status == 200)
      #expect(good.response.header("Content-Type") == "application/json")
      let id = try #require(bad.response.header("x-amzn-RequestId"))
      #expect(GUID(id) != nil)
      #expect(id != good.response.header("x-amzn-RequestId"))
      #expect(bad.status == 404)
      #expect(bad.error == "NotFoundException")
      #expect(bad.response.header("Content-Type") == "application/json")
      #expect(bad.body["Code"].string == "NotFound")
      #expect(bad.body["RequestId"].string == id)
      #expect(!bad.body["Message"].string.isEmpty)
    }
  }

  @Test(arguments: [
    (StatusCode.invalidArgument, 400, "BadRequestException", "BadRequest"),
    (.notFound, 404, "NotFoundException", "NotFound"),
    (.alreadyExists, 409, "ConflictException", "Conflict"),
    (.resourceExhausted, 400, "LimitExceededException", "LimitExceeded"),
    (.failedPrecondition, 422, "UnprocessableEntityException", "Unprocessable"),
    (.permissionDenied, 403, "ForbiddenException", "Forbidden"),
    (.unavailable, 503, "ServiceUnavailableException", "ServiceUnavailable"),
    (.deadlineExceeded, 503, "ServiceUnavailableException", "ServiceUnavailable"),
    (.cancelled, 503, "ServiceUnavailableException", "ServiceUnavailable"),
    (.internalError, 500, "ServiceFailureException", "ServiceFailure"),
    (.dataLoss, 500, "ServiceFailureException", "ServiceFailure"),
  ])
  func `each status maps to an error name that clients know`(
    code: StatusCode, http: Int, name: String, short: String
  ) throws {
    let response = RESTError(Status(code, "The words.")).response(requestID: "id")
    let answer = Answer(response)
    #expect(answer.status == http)
    #expect(answer.error == name)
    #expect(answer.body["Code"].string == short)
    #expect((response.header("Retry-After") != nil) == (http == 503))
    #expect((answer.body["Message"].string == "The words.") == (http != 500))
  }

  @Test func `with --allow-unsigned, signed requests are still served`() async throws {
    try await withControl { fixture in
      let answer = await fixture.face.send(
        "POST", "/meetings", Bodies.meeting(),
        headers: [.init(name: "Authorization", value: "AWS4-HMAC-SHA256 Credential=x")])
      #expect(answer.status == 200)
    }
  }

  @Test func `requests for the health and the endpoints of a gateway need no signature`()
    async throws
  {
    try await withControl { fixture in
      let face = fixture.signedHandler
      var health = await face.send("GET", "/healthz")
      #expect(health.status == 200)
      fixture.effects.state.withLock { $0.isReachable = false }
      for path in ["/readyz", "/healthz?verbose=1"] {
        health = await face.send("GET", path)
        #expect(health.status == 503)
        #expect(health.body == .object(["status": .string("failing")]))
      }
      // A gateway that cannot reach the other services is still alive.
      let life = await face.send("GET", "/livez")
      #expect(life.status == 200)
      #expect(life.body == .object(["status": .string("alive")]))
      #expect(health.response.header("Retry-After") == "1")
      #expect(health.response.header("x-amzn-RequestId") != nil)
      let endpoints = await face.send("GET", "/carillon/v1/endpoints")
      #expect(endpoints.status == 200)
      #expect(
        endpoints.body
          == .object(["GatewayUrl": .string("ipc:///run/carillon/gateway-a.client.sock")]))
    }
  }

  @Test(arguments: [
    ("", nil, "SerializationException", 400),
    ("nonsense", nil, "SerializationException", 400),
    ("[]", nil, "SerializationException", 400),
    ("\"text\"", nil, "SerializationException", 400),
    ("{}", "text/plain", "UnsupportedMediaTypeException", 415),
    ("{}", "application/jsonp", "UnsupportedMediaTypeException", 415),
    ("{}", "", "UnsupportedMediaTypeException", 415),
    ("{}", "Application/JSON ; charset=utf-8", "BadRequestException", 400),
    ("{}", nil, "BadRequestException", 400),
    (#"{"ClientRequestToken":"\ud800"}"#, nil, "SerializationException", 400),
    (#"{"ClientRequestToken":"a\u0000b"}"#, nil, "BadRequestException", 400),
    (#"{"Unknown":{"\u0000":[]}}"#, nil, "BadRequestException", 400),
    (#"{"ClientRequestToken":"a\u0000b""#, nil, "SerializationException", 400),
    ("{\"ClientRequestToken\":\"a\0b\"}", nil, "SerializationException", 400),
  ])
  func `an unreadable body is refused`(
    body: String, type: String?, name: String, status: Int
  ) async throws {
    try await withControl { fixture in
      let answer = await fixture.face.send(
        "POST", "/meetings", body,
        headers: [.init(name: "Content-Type", value: type ?? "application/json")])
      #expect(answer.error == name)
      #expect(answer.status == status)
    }
  }

  @Test func `a body without a content type is refused because web pages can send it`() async throws
  {
    try await withControl { fixture in
      let request = RESTRequest(
        method: "POST", target: "/meetings", body: Array(Bodies.meeting().utf8))
      #expect(await fixture.face.respond(to: request).status == .unsupportedMediaType)
      let meetings = try await fixture.meetings()
      #expect(meetings.isEmpty)
    }
  }

  @Test(arguments: [
    ("Origin", "https://page.test"), ("Origin", "null"), ("Sec-Fetch-Site", "cross-site"),
    ("Sec-Fetch-Site", "same-origin"),
  ])
  func `an unsigned request from a web page is refused`(
    name: String, value: String
  ) async throws {
    try await withControl { fixture in
      let answer = await fixture.face.send(
        "POST", "/meetings", Bodies.meeting(), headers: [.init(name: name, value: value)])
      #expect(answer.error == "ForbiddenException")
      let meetings = try await fixture.meetings()
      #expect(meetings.isEmpty)
    }
  }

  @Test func `an address that a user types into a browser is not refused as cross-site`()
    async throws
  {
    try await withControl { fixture in
      let answer = await fixture.face.send(
        "GET", "/meetings/00000000-0000-4000-8000-000000000000",
        headers: [.init(name: "Sec-Fetch-Site", value: "none")])
      #expect(answer.status == 404)
    }
  }

  @Test func `deeply nested JSON is refused without a crash`() async throws {
    try await withControl { fixture in
      let deep = String(repeating: "[", count: 200_000)
      let answer = await fixture.face.send("POST", "/meetings", #"{"x":\#(deep)"#)
      #expect(answer.error == "SerializationException")
    }
  }

  @Test func `an unknown operation is not mistaken for a similar operation`() async throws {
    try await withControl { fixture in
      for (method, target) in [
        ("POST", "/meetings?operation=bogus"), ("POST", "/tags"), ("POST", "/tags?operation=list"),
        ("GET", "/meetings"), ("GET", "/tags?operation=tag-resource"), ("GET", "/"),
        ("POST", "/meetings/x/../meetings"),
      ] {
        let answer = await fixture.face.send(method, target, Bodies.meeting())
        #expect(answer.status == 404)
        #expect(answer.error == "UnknownOperationException")
      }
    }
  }
}
