internal import Foundation
internal import LocalInstallation
internal import MeetingModel
internal import Output
internal import Signing

/// A client for the REST calls that the demo makes.
struct ControlAPIClient: Sendable {
  /// A response: the id that the demo reads, and the whole JSON for the client library.
  struct Created: Sendable {
    let id: String
    let json: String
  }

  private let client: HTTPClient
  private let limit: Duration = .seconds(20)

  private let signer: RequestSigner?

  /// - Parameter signer: The signer of the requests; `nil` sends unsigned requests.
  init(_ address: HTTPAddress, signedBy signer: RequestSigner?) {
    client = HTTPClient(address)
    self.signer = signer
  }

  /// Calls CreateMeeting.
  ///
  /// - Parameter primary: The primary meeting if the new meeting is a replica; otherwise `nil`.
  func createMeeting(
    externalMeetingID: String, replicaOf primary: String? = nil
  ) async throws -> Created {
    var request: OutputRecord = [
      "ClientRequestToken": .text(UUID().uuidString), "MediaRegion": "us-east-1",
      "ExternalMeetingId": .text(externalMeetingID),
    ]
    if let primary { request["PrimaryMeetingId"] = .text(primary) }
    let json = try await send(HTTPRequest(.post, "/meetings", json: request.json), expecting: 200)
    return Created(id: try Self.decode(MeetingAnswer.self, json).Meeting.MeetingId, json: json)
  }

  /// Calls CreateAttendee.
  func createAttendee(in meetingID: String, externalUserID: String) async throws -> Created {
    let request: OutputRecord = ["ExternalUserId": .text(externalUserID)]
    let json = try await send(
      HTTPRequest(.post, "/meetings/\(meetingID)/attendees", json: request.json), expecting: 200)
    return Created(id: try Self.decode(AttendeeAnswer.self, json).Attendee.AttendeeId, json: json)
  }

  /// Calls DeleteMeeting.
  func deleteMeeting(_ meetingID: String) async throws {
    _ = try await send(HTTPRequest(.delete, "/meetings/\(meetingID)"), expecting: 204)
  }

  /// Calls StartMeetingTranscription.
  func startTranscription(of meetingID: String, languageCode: String) async throws {
    let settings: OutputRecord = ["LanguageCode": .text(languageCode)]
    let configuration: OutputRecord = ["EngineTranscribeSettings": .object(settings)]
    let request: OutputRecord = ["TranscriptionConfiguration": .object(configuration)]
    let path = "/meetings/\(meetingID)/transcription?operation=start"
    _ = try await send(HTTPRequest(.post, path, json: request.json), expecting: 200)
  }

  /// Calls StopMeetingTranscription.
  func stopTranscription(of meetingID: String) async throws {
    let path = "/meetings/\(meetingID)/transcription?operation=stop"
    _ = try await send(HTTPRequest(.post, path), expecting: 200)
  }

  /// Sends a request, and returns the body of the response.
  private func send(_ request: HTTPRequest, expecting status: Int) async throws -> String {
    let now = Int64(WallClock.nowMs / 1_000)
    let signed = signer.map { request.signed(by: $0, host: client.address.host, at: now) }
    let response = try await client.send(signed ?? request, within: limit)
    guard response.status == status else {
      throw CommandFailure(
        code: "HTTP_\(response.status)",
        message: "\(request.method.rawValue) \(request.path) answered \(response.text)")
    }
    return response.text
  }

  private static func decode<Answer: Decodable>(
    _ type: Answer.Type, _ json: String
  ) throws -> Answer {
    try JSONDecoder().decode(type, from: Data(json.utf8))
  }
}

// The properties have the names of the JSON members in the control API.

private struct MeetingAnswer: Decodable {
  struct Meeting: Decodable {
    let MeetingId: String
  }

  let Meeting: Meeting
}

private struct AttendeeAnswer: Decodable {
  struct Attendee: Decodable {
    let AttendeeId: String
  }

  let Attendee: Attendee
}
