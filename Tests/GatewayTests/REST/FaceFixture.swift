import MeetingModel

@testable import Gateway

extension RESTHandler {
  /// Sends a request without a network connection.
  func send(
    _ method: String, _ target: String, _ body: String? = nil,
    headers: [RESTRequest.Header] = [.init(name: "Host", value: "gateway.test:8080")]
  ) async -> Answer {
    var headers = headers
    if body != nil, !headers.contains(where: { $0.name == "Content-Type" }) {
      headers.append(.init(name: "Content-Type", value: "application/json"))
    }
    let request = RESTRequest(
      method: method, target: target, headers: headers, body: Array((body ?? "").utf8))
    return Answer(await respond(to: request))
  }

  /// Creates a meeting, and returns its id. The request has the required JSON members and the given
  /// further members.
  func makeMeeting(_ token: String = "token-1", with members: String = "") async throws -> String {
    let answer = await send("POST", "/meetings", Bodies.meeting(token, with: members))
    return answer.body["Meeting", "MeetingId"].string
  }

  func makeAttendee(_ name: String, in meeting: String) async throws -> Answer {
    await send("POST", "/meetings/\(meeting)/attendees", #"{"ExternalUserId":"\#(name)"}"#)
  }
}

/// A response with its whole body.
struct Answer {
  let response: RESTResponse
  let body: JSONValue

  init(_ response: RESTResponse) {
    self.response = response
    body = (try? JSONParser.parse(response.body)) ?? .null
  }

  var status: Int { response.status.rawValue }

  /// The name of the error that clients receive.
  var error: String? { response.header("x-amzn-ErrorType") }
}

enum Bodies {
  static func meeting(_ token: String = "token-1", with members: String = "") -> String {
    let more = members.isEmpty ? "" : ",\(members)"
    return #"{"ClientRequestToken":"\#(token)","MediaRegion":"us-east-1","#
      + #""ExternalMeetingId":"standup"\#(more)}"#
  }
}

extension JSONValue {
  /// Returns the value at a path of members; `null` if a member is missing.
  subscript(path: String...) -> JSONValue {
    path.reduce(self) { value, name in
      guard case .object(let members) = value else { return .null }
      return members[name] ?? .null
    }
  }

  var string: String {
    guard case .string(let text) = self else { return "" }
    return text
  }

  var elements: [JSONValue] {
    guard case .array(let elements) = self else { return [] }
    return elements
  }
}
