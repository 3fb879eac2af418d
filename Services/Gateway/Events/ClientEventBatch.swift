import Crypto
import MeetingModel
import Storage

/// The events of one attendee's session, as the body of a PutClientEvents request.
///
/// `{"metadata": {…}, "events": [{"type": "Meet", "v": 1, "metadata": {…}, "payloads": [{…}]}]}`.
/// Either the metadata of each group of events or the outer metadata contains `meetingId` and
/// `attendeeId`. Each payload has a `name`. If a payload has no `id`, the gateway computes an id
/// from the payload's content, so that the store recognizes a repeated payload.
struct ClientEventBatch {
  /// The meeting and the attendee in the events' metadata.
  let meeting: MeetingID
  let attendee: AttendeeID

  private let entries: [Entry]

  private struct Entry {
    let id: String
    let name: String
    let metadata: String
    let payload: String
  }

  /// The maximum size of a body, in bytes.
  static let maxBody = 262_144

  /// The maximum size of an event's metadata and of a payload, in bytes of JSON text.
  static let maxObject = 8_192

  /// The maximum number of events in one request.
  static let maxEvents = 200

  /// Reads a batch from a request's body.
  ///
  /// - Throws: `BadRequestException` for an invalid batch, or for a batch of several attendees.
  init(_ body: JSONMembers) throws(RESTError) {
    let common = try body.object("metadata")
    var whose: (meeting: MeetingID, attendee: AttendeeID)?
    var entries: [Entry] = []
    for group in try body.required("events", body.objects("events", 1...Self.maxEvents)) {
      let own = try group.object("metadata")
      let these = try Self.identity(own, or: common)
      guard whose == nil || whose! == these else {
        throw RESTError(.badRequest, "All events of a request must be of one attendee.")
      }
      whose = these
      let metadata = try Self.text(Self.merged(common, own), "metadata")
      let payloads = try group.objects("payloads", 1...Self.maxEvents)
      for payload in try group.required("payloads", payloads) {
        entries.append(try Self.entry(payload, metadata))
      }
    }
    guard let whose, entries.count <= Self.maxEvents else {
      throw RESTError(.badRequest, "A request may have 1-\(Self.maxEvents) events.")
    }
    (meeting, attendee) = whose
    self.entries = entries
  }

  /// Returns the events in the form in which the store keeps them.
  func events(
    primary: MeetingID?, externalUserID: ExternalUserID?, at now: Int64
  ) -> [ReportedClientEvent] {
    entries.map { entry in
      ReportedClientEvent(
        meeting: meeting, primary: primary, attendee: attendee, externalUserID: externalUserID,
        id: entry.id, name: entry.name, receivedAtMs: now, metadata: entry.metadata,
        payload: entry.payload)
    }
  }

  private static func identity(
    _ own: JSONMembers?, or common: JSONMembers?
  ) throws(RESTError) -> (meeting: MeetingID, attendee: AttendeeID) {
    let empty = JSONMembers([:], at: "metadata.")
    let (own, common) = (own ?? empty, common ?? empty)
    let meeting = try own.text("meetingId") { id throws(InvalidModelValue) in try MeetingID(id) }
    let attendee = try own.text("attendeeId") { id throws(InvalidModelValue) in try AttendeeID(id) }
    let outer = try common.text("meetingId") { id throws(InvalidModelValue) in try MeetingID(id) }
    let outerAttendee = try common.text("attendeeId") { id throws(InvalidModelValue) in
      try AttendeeID(id)
    }
    return (
      try common.required("meetingId", meeting ?? outer),
      try common.required("attendeeId", attendee ?? outerAttendee)
    )
  }

  /// Merges the outer metadata and the group's metadata into one object, and omits the ids.
  private static func merged(_ common: JSONMembers?, _ own: JSONMembers?) -> JSONValue {
    var members: [String: JSONValue] = [:]
    for case .object(let some)? in [common?.value, own?.value] { members.merge(some) { $1 } }
    members["meetingId"] = nil
    members["attendeeId"] = nil
    return .object(members)
  }

  private static func entry(
    _ payload: JSONMembers, _ metadata: String
  ) throws(RESTError) -> Entry {
    let name = try payload.required("name", payload.string("name"))
    let text = try text(payload.value, "payloads")
    let id = try payload.string("id") ?? Self.id(ofContent: text)
    guard (1...64).contains(name.utf8.count), (1...64).contains(id.utf8.count) else {
      throw payload.wrong("name and id", "must have 1-64 bytes")
    }
    return Entry(id: id, name: name, metadata: metadata, payload: text)
  }

  /// Returns the id for a payload that has no id of its own: the first half of the SHA-256 of the
  /// payload's text, in hexadecimal. Equal payloads have equal ids.
  private static func id(ofContent text: String) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let bytes = SHA256.hash(data: Array(text.utf8)).prefix(16)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }, as: UTF8.self)
  }

  private static func text(_ value: JSONValue, _ name: String) throws(RESTError) -> String {
    let text = value.text
    guard text.utf8.count <= maxObject else {
      throw RESTError(.badRequest, "\(name) of an event may have at most \(maxObject) bytes.")
    }
    return text
  }
}
