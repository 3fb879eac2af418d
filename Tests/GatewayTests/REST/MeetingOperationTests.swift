import MeetingModel
import Testing

@testable import Gateway

@Suite struct MeetingOperationTests {
  @Test func `a meeting has the same JSON members in every answer`() async throws {
    try await withControl { fixture in
      let face = fixture.face
      let created = await face.send(
        "POST", "/meetings",
        Bodies.meeting(with: #""MeetingHostId":"ada","TenantIds":["acme"],"Unknown":[[{}]]"#))
      #expect(created.status == 200)
      let meeting = created.body["Meeting"]
      let id = meeting["MeetingId"].string
      #expect(GUID(id)?.text == id)
      #expect(
        meeting
          == .object([
            "MeetingId": .string(id),
            "ExternalMeetingId": .string("standup"),
            "MeetingHostId": .string("ada"),
            "MediaRegion": .string("us-east-1"),
            "MediaPlacement": .object([
              "AudioHostUrl": .string("gateway.test:7401"),
              "AudioFallbackUrl": .string("ws://gateway.test:8080/calls/\(id)"),
              "SignalingUrl": .string("ws://gateway.test:8080/control/\(id)"),
              "TurnControlUrl": .string("http://gateway.test:8080/v2/turn_sessions"),
              "EventIngestionUrl": .string("http://gateway.test:8080/v1/client-events"),
              "GatewayUrl": .string("ipc:///run/carillon/gateway-a.client.sock"),
            ]),
            "MeetingFeatures": .object([
              "Audio": .object(["EchoReduction": .string("UNAVAILABLE")]),
              "Video": .object(["MaxResolution": .string("HD")]),
              "Content": .object(["MaxResolution": .string("FHD")]),
              "Attendee": .object(["MaxCount": .integer(250)]),
            ]),
            "TenantIds": .array([.string("acme")]),
            "MeetingArn": .string("arn:aws:chime:us-east-1:000000000000:meeting/\(id)"),
          ]))
      let found = await face.send("GET", "/meetings/\(id.uppercased())?ignored=x")
      #expect(found.body == created.body)
      #expect(created.body.text.contains("null") == false)
    }
  }

  @Test func `the URLs in an answer have the host and port of the request`() async throws {
    try await withControl { fixture in
      let face = fixture.face
      let created = await face.send("POST", "/meetings", Bodies.meeting())
      let path = "/meetings/\(created.body["Meeting", "MeetingId"].string)"
      let elsewhere = RESTRequest.Header(name: "Host", value: "elsewhere.test:8080")
      for (method, path, body) in [("GET", path, nil), ("POST", "/meetings", Bodies.meeting())] {
        let found = await face.send(method, path, body, headers: [elsewhere])
        #expect(found.status == created.status)
        let placement = found.body["Meeting", "MediaPlacement"].text
        #expect(!placement.contains("gateway.test"))
        #expect(
          found.body.text.replacing("elsewhere.test", with: "gateway.test") == created.body.text)
      }
      // The base in the store has not changed.
      #expect(await face.send("GET", path).body == created.body)
    }
  }

  @Test func `URLs use the configured base if there is one`() async throws {
    try await withControl(publicURL: "https://meet.example.org") { fixture in
      let answer = await fixture.face.send("POST", "/meetings", Bodies.meeting())
      #expect(
        answer.body["Meeting", "MediaPlacement", "SignalingUrl"].string
          .hasPrefix("wss://meet.example.org/control/"))
    }
  }

  @Test(arguments: ["evil\"host", "a b", "user@host", "host/path", "host:port"])
  func `an invalid Host header is refused`(host: String) async throws {
    try await withControl { fixture in
      let answer = await fixture.face.send(
        "POST", "/meetings", Bodies.meeting(), headers: [.init(name: "Host", value: host)])
      #expect(answer.error == "BadRequestException")
    }
  }

  @Test(arguments: [
    (#""MeetingFeatures":{}"#, "HD", "FHD", 250),
    (#""MeetingFeatures":{"Video":{"MaxResolution":"FHD"}}"#, "FHD", "FHD", 25),
    (#""MeetingFeatures":{"Content":{"MaxResolution":"UHD"},"Video":{}}"#, "HD", "UHD", 25),
    (
      #""MeetingFeatures":{"Video":{"MaxResolution":"FHD"},"Attendee":{"MaxCount":100}}"#,
      "FHD", "FHD", 100
    ),
    (#""MeetingFeatures":{"Video":{"MaxResolution":"None"},"Audio":null}"#, "None", "FHD", 250),
  ])
  func `the answer to a creation contains the features that take effect`(
    members: String, video: String, content: String, most: Int64
  ) async throws {
    try await withControl { fixture in
      let answer = await fixture.face.send("POST", "/meetings", Bodies.meeting(with: members))
      let features = answer.body["Meeting", "MeetingFeatures"]
      #expect(features["Video", "MaxResolution"].string == video)
      #expect(features["Content", "MaxResolution"].string == content)
      #expect(features["Attendee", "MaxCount"] == .integer(most))
    }
  }

  /// Returns a body with another value of one member.
  private func body(replacing name: String, with value: String?) -> String {
    var members = [
      "ClientRequestToken": "\"token-1\"", "MediaRegion": "\"us-east-1\"",
      "ExternalMeetingId": "\"standup\"",
    ]
    members[name] = value
    return "{\(members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ","))}"
  }

  @Test(arguments: [
    ("ClientRequestToken", #""ab""#),
    ("ClientRequestToken", "\"\(String(repeating: "a", count: 64))\""),
    ("ClientRequestToken", #""-_aZ9""#), ("MediaRegion", #""us-gov-west-1""#),
    ("MediaRegion", #""attic""#), ("ExternalMeetingId", "\"\(String(repeating: "é", count: 64))\""),
    ("ExternalMeetingId", #""\u00e9\t«×»""#), ("ExternalMeetingId", #""aws x""#),
    ("MeetingHostId", "null"), ("MeetingHostId", #""ab""#),
    ("PrimaryMeetingId", "null"), ("TenantIds", #"["ab"]"#), ("TenantIds", "null"),
    ("TenantIds", #"["ab","ab","aaab","a#!@$","cd"]"#),
    ("Tags", "[]"), ("Tags", #"[{"Key":"a;<=b","Value":""},{"Key":"A","Value":"@ x"}]"#),
    ("MediaPlacementNetworkType", #""DualStack""#), ("NotificationsConfiguration", "{}"),
    ("NotificationsConfiguration", #"{"SnsTopicArn":"arn:aws:sns:x","SqsQueueArn":null}"#),
    ("MeetingFeatures", #"{"Audio":{"EchoReduction":"AVAILABLE"}}"#),
    ("MeetingFeatures", #"{"Attendee":{"MaxCount":1}}"#), ("unknown", #"{"deep":[[[1]]]}"#),
  ])
  func `valid values in a request for a meeting are accepted`(name: String, value: String)
    async throws
  {
    try await withControl { fixture in
      let answer = await fixture.face.send("POST", "/meetings", body(replacing: name, with: value))
      #expect(answer.status == 200, "\(answer.body.text)")
    }
  }

  @Test(arguments: [
    ("ClientRequestToken", nil), ("ClientRequestToken", "null"), ("ClientRequestToken", #""a""#),
    ("ClientRequestToken", "\"\(String(repeating: "a", count: 65))\""),
    ("ClientRequestToken", #""a b""#), ("ClientRequestToken", "12"), ("ClientRequestToken", "true"),
    ("ClientRequestToken", #"["ab"]"#), ("ClientRequestToken", #"{"a":"b"}"#),
    ("MediaRegion", nil), ("MediaRegion", #""mars-1""#), ("MediaRegion", #""US-EAST-1""#),
    ("MediaRegion", "1"), ("ExternalMeetingId", nil), ("ExternalMeetingId", #""x""#),
    ("ExternalMeetingId", "\"\(String(repeating: "x", count: 65))\""),
    ("ExternalMeetingId", #""aws:x""#), ("ExternalMeetingId", #""AwS:x""#),
    ("ExternalMeetingId", #""a;b""#), ("ExternalMeetingId", #""日本""#),
    ("ExternalMeetingId", #""e\u0301x""#), ("ExternalMeetingId", #""a\u0001b""#),
    ("MeetingHostId", #""x""#), ("MeetingHostId", "5"),
    ("PrimaryMeetingId", #""primary""#), ("PrimaryMeetingId", #""x""#), ("PrimaryMeetingId", "[]"),
    ("PrimaryMeetingId", #""0d1e2f3a-0000-4000-8000-000000000001""#),
    ("TenantIds", "[]"), ("TenantIds", #""ab""#), ("TenantIds", #"["a"]"#), ("TenantIds", "[null]"),
    ("TenantIds", #"["aaaa"]"#), ("TenantIds", #"["ab","ab","ab","ab","ab","ab"]"#),
    ("TenantIds", "[1]"), ("Tags", "{}"), ("Tags", #"[{"Key":"a"}]"#), ("Tags", #"["a"]"#),
    ("Tags", #"[{"Key":"a","Value":null}]"#), ("Tags", #"[{"Key":"a b","Value":""}]"#),
    ("Tags", #"[{"Key":"aws:a","Value":""}]"#), ("Tags", #"[{"Key":"a","Value":"*"}]"#),
    ("Tags", #"[{"Key":"a","Value":"1"},{"Key":"a","Value":"2"}]"#),
    ("Tags", "[\((0...50).map { #"{"Key":"k\#($0)","Value":""}"# }.joined(separator: ","))]"),
    ("MediaPlacementNetworkType", #""ipv4only""#), ("MediaPlacementNetworkType", "4"),
    ("NotificationsConfiguration", #""arn""#), ("NotificationsConfiguration", "[]"),
    ("NotificationsConfiguration", #"{"SnsTopicArn":"arn"}"#),
    ("NotificationsConfiguration", #"{"LambdaFunctionArn":"arn:a b"}"#),
    ("NotificationsConfiguration", #"{"SqsQueueArn":"urn:x"}"#),
    (
      "NotificationsConfiguration",
      #"{"SqsQueueArn":"arn:\#(String(repeating: "x", count: 1_021))"}"#
    ),
    ("MeetingFeatures", "[]"), ("MeetingFeatures", #"{"Audio":"x"}"#),
    ("MeetingFeatures", #"{"Audio":{"EchoReduction":"available"}}"#),
    ("MeetingFeatures", #"{"Audio":{"EchoReduction":true}}"#),
    ("MeetingFeatures", #"{"Video":{"MaxResolution":"UHD"}}"#),
    ("MeetingFeatures", #"{"Content":{"MaxResolution":"HD"}}"#),
    ("MeetingFeatures", #"{"Attendee":{"MaxCount":0}}"#),
    ("MeetingFeatures", #"{"Attendee":{"MaxCount":251}}"#),
    ("MeetingFeatures", #"{"Attendee":{"MaxCount":2.5}}"#),
    ("MeetingFeatures", #"{"Attendee":{"MaxCount":"5"}}"#),
    ("MeetingFeatures", #"{"Attendee":{"MaxCount":true}}"#),
    ("MeetingFeatures", #"{"Attendee":{"MaxCount":99999999999999999999}}"#),
    ("MeetingFeatures", #"{"Attendee":{"MaxCount":-1}}"#),
  ])
  func `an invalid value in a request for a meeting is refused, and the error names the member`(
    name: String, value: String?
  ) async throws {
    try await withControl { fixture in
      let answer = await fixture.face.send("POST", "/meetings", body(replacing: name, with: value))
      #expect(answer.status == 400)
      #expect(answer.error == "BadRequestException")
      let meetings = try await fixture.meetings()
      #expect(meetings.isEmpty)
    }
  }

  @Test func `a deletion is answered with 204 and no body, and a second deletion is not found`()
    async throws
  {
    try await withControl { fixture in
      let face = fixture.face
      let id = try await face.makeMeeting()
      let deleted = await face.send("DELETE", "/meetings/\(id)")
      #expect(deleted.status == 204)
      #expect(deleted.response.body.isEmpty)
      #expect(deleted.response.header("Content-Type") == nil)
      for (method, target) in [
        ("DELETE", "/meetings/\(id)"), ("GET", "/meetings/\(id)"),
        ("GET", "/meetings/\(id)/attendees"),
      ] {
        #expect(await face.send(method, target).error == "NotFoundException")
      }
      #expect(try await face.makeAttendee("ada", in: id).error == "NotFoundException")
      #expect(await face.send("GET", "/meetings/nonsense").error == "BadRequestException")
    }
  }

  // MARK: Idempotency

  @Test func `requests that differ only in the spelling of their JSON make one meeting`()
    async throws
  {
    try await withControl { fixture in
      let face = fixture.face
      let first = await face.send("POST", "/meetings", Bodies.meeting(with: #""Tags":null"#))
      let second = await face.send(
        "POST", "/meetings",
        #" {"ExternalMeetingId" : "stand\u0075p", "MediaRegion":"us-east-1","#
          + #""ClientRequestToken":"token-1","MeetingHostId":null} "#)
      #expect(first.status == 200)
      #expect(second.body == first.body)
    }
  }

  @Test(arguments: [
    Bodies.meeting(with: #""MeetingHostId":"ada""#),
    Bodies.meeting(with: #""TenantIds":["ab","cd"]"#),
    #"{"ClientRequestToken":"token-1","MediaRegion":"us-east-2","ExternalMeetingId":"standup"}"#,
  ])
  func `a reused request token is a conflict if the request differs`(body: String) async throws {
    try await withControl { fixture in
      let face = fixture.face
      let id = try await face.makeMeeting(with: #""TenantIds":["cd","ab"]"#)
      let answer = await face.send("POST", "/meetings", body)
      #expect(answer.status == 409)
      #expect(answer.error == "ConflictException")
      #expect(await face.send("DELETE", "/meetings/\(id)").status == 204)
      #expect(await face.send("POST", "/meetings", body).status == 200)
    }
  }

  @Test func `the two operations that create meetings share request tokens`() async throws {
    try await withControl { fixture in
      let face = fixture.face
      let body = Bodies.meeting(with: #""Attendees":[{"ExternalUserId":"ada"}]"#)
      let first = await face.send("POST", "/meetings?operation=create-attendees", body)
      #expect(first.status == 200)
      let again = await face.send("POST", "/meetings?operation=create-attendees", body)
      #expect(again.body == first.body)
      #expect(await face.send("POST", "/meetings", body).error == "ConflictException")
    }
  }

  @Test func `simultaneous requests with one token make one meeting`() async throws {
    try await withControl { fixture in
      let face = fixture.face
      let ids = await withTaskGroup(of: String.self) { group in
        for _ in 0..<20 {
          group.addTask {
            await face.send("POST", "/meetings", Bodies.meeting())
              .body["Meeting", "MeetingId"].string
          }
        }
        return await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(ids.count == 1)
    }
  }

  // MARK: Replicas

  @Test func `a replica names its primary, and a fifth replica is refused`() async throws {
    try await withControl { fixture in
      let face = fixture.face
      let primary = try await face.makeMeeting()
      let member = #""PrimaryMeetingId":"\#(primary)""#
      for number in 0..<4 {
        let answer = await face.send(
          "POST", "/meetings", Bodies.meeting("replica-\(number)", with: member))
        #expect(answer.body["Meeting", "PrimaryMeetingId"].string == primary)
      }
      let fifth = await face.send("POST", "/meetings", Bodies.meeting("replica-4", with: member))
      #expect(fifth.status == 400)
      #expect(fifth.error == "LimitExceededException")
      #expect(await face.send("DELETE", "/meetings/\(primary)").status == 204)
      let late = await face.send("POST", "/meetings", Bodies.meeting("replica-5", with: member))
      #expect(late.error == "BadRequestException")
    }
  }
}
