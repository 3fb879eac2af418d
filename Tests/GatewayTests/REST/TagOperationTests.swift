import MeetingModel
import Testing

@testable import Gateway

@Suite struct TagOperationTests {
  @Test func `an application tags a meeting, lists its tags and removes them`() async throws {
    try await withControl { fixture in
      let face = fixture.face
      let arn = try await face.makeTagged(with: #""Tags":[{"Key":"team","Value":"blue"}]"#)
      #expect(await face.tags(of: arn) == ["team": "blue"])
      let tagged = await face.tag(
        arn, #"[{"Key":"team","Value":"red"},{"Key":"cost/centre","Value":" 7@x "}]"#)
      #expect(tagged.status == 204)
      #expect(tagged.response.body.isEmpty)
      #expect(await face.tags(of: arn) == ["team": "red", "cost/centre": " 7@x "])
      let untagged = await face.untag(arn, #"["team","nothing","team"]"#)
      #expect(untagged.status == 204)
      #expect(await face.tags(of: arn) == ["cost/centre": " 7@x "])
      #expect(await face.tag(arn, "[]").status == 204)
      #expect(await face.untag(arn, "[]").status == 204)
    }
  }

  @Test func `a meeting without tags has an empty list`() async throws {
    try await withControl { fixture in
      let arn = try await fixture.face.makeTagged()
      let answer = await fixture.face.list(arn)
      #expect(answer.status == 200)
      #expect(answer.body == .object(["Tags": .array([])]))
    }
  }

  @Test func `the id in an ARN may have capital letters`() async throws {
    try await withControl { fixture in
      let arn = try await fixture.face.makeTagged(with: #""Tags":[{"Key":"k","Value":""}]"#)
      let id = arn.split(separator: "/")[1]
      let capitals = arn.replacing(id, with: id.uppercased())
      #expect(await fixture.face.tags(of: capitals) == ["k": ""])
    }
  }

  @Test(arguments: [
    "", "arn", "meeting/x", " arn:aws:chime:us-east-1:000000000000:meeting/x",
    "arn:" + String(repeating: "x", count: 1_008),
  ])
  func `a malformed ARN is a bad request`(arn: String) async throws {
    try await withControl { fixture in
      for answer in await fixture.face.allTagOperations(on: arn) {
        #expect(answer.error == "BadRequestException")
        #expect(answer.status == 400)
      }
    }
  }

  @Test(arguments: [
    "arn:", "arn:aws:s3:::bucket", "arn:aws:chime:us-east-1:000000000000:meeting/",
    "arn:aws:chime:us-east-1:000000000000:meeting/x",
    "arn:aws:chime:us-east-1:000000000000:meeting/ID/attendee",
    "arn:aws:chime:us-east-1:111111111111:meeting/ID",
    "arn:aws:chime:eu-west-1:000000000000:meeting/ID",
    "arn:aws:chime:us-east-1:000000000000:Meeting/ID",
    "arn:aws:chime:us-east-1:000000000000:meeting/ID ",
    "arn:" + String(repeating: "é", count: 1_007),
  ])
  func `an ARN without a live meeting of this account is not found`(pattern: String) async throws {
    try await withControl { fixture in
      let meeting = try await fixture.face.makeMeeting()
      let arn = pattern.replacing("ID", with: meeting)
      for answer in await fixture.face.allTagOperations(on: arn) {
        #expect(answer.error == "ResourceNotFoundException")
        #expect(answer.status == 404)
        #expect(answer.body["Code"].string == "ResourceNotFound")
        #expect(answer.body["ResourceName"].string == arn)
      }
    }
  }

  @Test func `an ended meeting is not found`() async throws {
    try await withControl { fixture in
      let arn = try await fixture.face.makeTagged(with: #""Tags":[{"Key":"k","Value":"v"}]"#)
      let id = arn.split(separator: "/")[1]
      #expect(await fixture.face.send("DELETE", "/meetings/\(id)").status == 204)
      for answer in await fixture.face.allTagOperations(on: arn) {
        #expect(answer.error == "ResourceNotFoundException")
      }
    }
  }

  @Test(arguments: [
    "{}", #"{"ResourceARN":1,"Tags":[]}"#, #"{"ResourceARN":"ARN"}"#,
    #"{"ResourceARN":"ARN","Tags":null}"#, #"{"ResourceARN":"ARN","Tags":{}}"#,
    #"{"ResourceARN":"ARN","Tags":["k"]}"#, #"{"ResourceARN":"ARN","Tags":[{"Key":"k"}]}"#,
    #"{"ResourceARN":"ARN","Tags":[{"Value":"v"}]}"#,
    #"{"ResourceARN":"ARN","Tags":[{"Key":"k","Value":1}]}"#,
    #"{"ResourceARN":"ARN","Tags":[{"Key":"k","Value":"a"},{"Key":"k","Value":"a"}]}"#,
    #"{"ResourceARN":"ARN","Tags":[{"Key":"","Value":"v"}]}"#,
    #"{"ResourceARN":"ARN","Tags":[{"Key":"a b","Value":"v"}]}"#,
    #"{"ResourceARN":"ARN","Tags":[{"Key":"AWS:x","Value":"v"}]}"#,
    #"{"ResourceARN":"ARN","Tags":[{"Key":"k","Value":"*"}]}"#,
    #"{"ResourceARN":"ARN","Tags":[{"Key":"k","Value":"a\u0000"}]}"#,
  ])
  func `an invalid tag request sets nothing`(body: String) async throws {
    try await withControl { fixture in
      let arn = try await fixture.face.makeTagged()
      let answer = await fixture.face.send(
        "POST", "/tags?operation=tag-resource", body.replacing("ARN\"", with: "\(arn)\""))
      #expect(answer.error == "BadRequestException")
      #expect(await fixture.face.tags(of: arn).isEmpty)
    }
  }

  @Test(arguments: [
    "{}", #"{"ResourceARN":"ARN"}"#, #"{"ResourceARN":"ARN","TagKeys":"k"}"#,
    #"{"ResourceARN":"ARN","TagKeys":[1]}"#, #"{"ResourceARN":"ARN","TagKeys":["k",""]}"#,
    #"{"ResourceARN":"ARN","TagKeys":["k","a b"]}"#, #"{"TagKeys":["k"]}"#,
  ])
  func `an invalid untag request removes nothing`(body: String) async throws {
    try await withControl { fixture in
      let arn = try await fixture.face.makeTagged(with: #""Tags":[{"Key":"k","Value":"v"}]"#)
      let answer = await fixture.face.send(
        "POST", "/tags?operation=untag-resource", body.replacing("ARN\"", with: "\(arn)\""))
      #expect(answer.error == "BadRequestException")
      #expect(await fixture.face.tags(of: arn) == ["k": "v"])
    }
  }

  @Test func `listing tags needs exactly one ARN`() async throws {
    try await withControl { fixture in
      for query in ["", "?ARN=arn:x", "?arn=arn:x&arn=arn:x", "?arn=%00", "?arn=%zz"] {
        #expect(await fixture.face.send("GET", "/tags\(query)").error == "BadRequestException")
      }
    }
  }

  @Test func `a meeting has at most fifty tags`() async throws {
    try await withControl { fixture in
      let face = fixture.face
      let arn = try await face.makeTagged(with: "\"Tags\":\(Self.tags(1...50))")
      #expect(await face.tag(arn, Self.tags(1...50, "new")).status == 204)
      let refused = await face.tag(arn, Self.tags(50...51, "newer"))
      #expect(refused.status == 400)
      #expect(refused.error == "TooManyTagsException")
      #expect(refused.body["Code"].string == "TooManyTags")
      #expect(refused.body["ResourceName"].string == arn)
      #expect(Set(await face.tags(of: arn).values) == ["new"])
      #expect(await face.tag(arn, Self.tags(1...51)).error == "BadRequestException")
      let keys = (1...51).map { "\"k\($0)\"" }.joined(separator: ",")
      #expect(await face.untag(arn, "[\(keys)]").error == "BadRequestException")
      let created = await face.send(
        "POST", "/meetings", Bodies.meeting("token-2", with: "\"Tags\":\(Self.tags(1...51))"))
      #expect(created.error == "BadRequestException")
    }
  }

  private static func tags(_ numbers: ClosedRange<Int>, _ value: String = "") -> String {
    let items = numbers.map { #"{"Key":"k\#($0)","Value":"\#(value)"}"# }
    return "[\(items.joined(separator: ","))]"
  }
}

extension RESTHandler {
  /// Creates a meeting, and returns its ARN. The request has the required JSON members and the
  /// given further members.
  fileprivate func makeTagged(with members: String = "") async throws -> String {
    let answer = await send("POST", "/meetings", Bodies.meeting(with: members))
    return answer.body["Meeting", "MeetingArn"].string
  }

  fileprivate func tag(_ arn: String, _ tags: String) async -> Answer {
    await send(
      "POST", "/tags?operation=tag-resource", #"{"ResourceARN":"\#(arn)","Tags":\#(tags)}"#)
  }

  fileprivate func untag(_ arn: String, _ keys: String) async -> Answer {
    await send(
      "POST", "/tags?operation=untag-resource", #"{"ResourceARN":"\#(arn)","TagKeys":\#(keys)}"#)
  }

  fileprivate func list(_ arn: String) async -> Answer {
    let encoded = arn.utf8.map { byte in
      let digits = String(byte, radix: 16)
      return "%" + (digits.count == 1 ? "0\(digits)" : digits)
    }
    return await send("GET", "/tags?arn=\(encoded.joined())")
  }

  fileprivate func tags(of arn: String) async -> [String: String] {
    let pairs = await list(arn).body["Tags"].elements.map {
      ($0["Key"].string, $0["Value"].string)
    }
    return Dictionary(pairs) { first, _ in first }
  }

  fileprivate func allTagOperations(on arn: String) async -> [Answer] {
    [
      await tag(arn, #"[{"Key":"k","Value":"v"}]"#), await untag(arn, #"["k"]"#),
      await list(arn),
    ]
  }
}
