import MeetingModel
import Testing

@testable import Wire

private let guid = "7c0a1f2e-9b3d-4c5e-8f70-112233445566"

@Suite struct IDTextTests {
  private static let texts = [
    guid, guid + "#content", guid.uppercased(), guid + "#Content", guid + "#", guid + "#contents",
    guid + "#content#content", guid + " ", String(guid.dropLast()), guid.dropLast() + "g",
    guid.replacing("-", with: "+"), "", "ada", "#content", "é", "🎩" + guid,
    String(repeating: "a", count: 36), String(repeating: "a", count: 10_000),
  ]

  @Test(arguments: texts)
  func `an id field with any text is read back unchanged`(text: String) throws {
    #expect(IDText(text).text == text)
    #expect(IDText(text).isEmpty == text.isEmpty)
    let bytes = text.isEmpty ? [] : field(1, Array(text.utf8))
    let attendee = try V1.AttendeeInfo(packed: bytes)
    #expect(attendee.attendeeID == text)
    #expect(attendee.attendeeIDInPlace == IDText(text))
    #expect(attendee == V1.AttendeeInfo(attendeeID: text))
    #expect(attendee.packed() == bytes)
  }

  @Test(arguments: texts)
  func `the stored form and the text of an id parse to the same id`(text: String) {
    #expect((try? ParticipantID(IDText(text))) == (try? ParticipantID(text)))
    #expect((try? MeetingID(IDText(text))) == (try? MeetingID(text)))
    #expect((try? AttendeeID(IDText(text))) == (try? AttendeeID(text)))
  }

  @Test func `an id of the model is stored in its binary form`() throws {
    let attendee = try AttendeeID(guid)
    let share = ParticipantID(attendee, modality: .content)
    #expect(IDText(attendee).canonical == ParticipantID(attendee))
    #expect(IDText(attendee) == IDText(guid))
    #expect(IDText(share) == IDText(guid + "#content"))
    #expect(IDText(share).text == share.text)
    #expect(IDText(guid.uppercased()).canonical == nil)
  }

  @Test(arguments: 0...4)
  func `a list of up to four ids keeps its order and packs as a list of texts`(count: Int) throws {
    let ids = (0..<count).map { _ in ParticipantID(.random()) }
    var header = V1.EventHeader()
    header.onlyForInPlace = IDTexts(ids)
    #expect(header.onlyFor == ids.map(\.text))
    #expect(header == V1.EventHeader(onlyFor: ids.map(\.text)))
    #expect(header.packed() == ids.flatMap { field(5, Array($0.text.utf8)) })
    #expect(try V1.EventHeader(packed: header.packed()) == header)
    #expect(Array(IDTexts(ids)) == ids.map { IDText($0) })
    #expect(IDTexts(ids) == IDTexts(ids.map { IDText($0) }))
    if count < 2 { #expect(IDTexts(ids) == IDTexts(ids.first)) }
  }

  @Test(arguments: [0, 1, 15, 16, 17, 4_000])
  func `a session id of any length is read back unchanged`(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 + 3) }
    let header = try V1.RequestHeader(packed: count == 0 ? [] : field(6, bytes))
    #expect(header.sessionID == bytes)
    #expect(header == V1.RequestHeader(sessionID: bytes))
    #expect(header.sessionIDInPlace.id == SessionID(bytes: bytes))
    #expect((header.sessionIDInPlace.id == nil) == (count != 16))
    #expect(header.sessionIDInPlace.isEmpty == bytes.isEmpty)
    #expect(header.packed() == (count == 0 ? [] : field(6, bytes)))
  }

  @Test func `a session id of the wrong length is refused by the model`() {
    #expect(throws: InvalidModelValue.self) { try SessionID(wire: SessionIDBytes([1, 2, 3])) }
    let id = SessionID.random()
    #expect((try? SessionID(wire: SessionIDBytes(id.bytes))) == id)
  }
}

@Suite struct ArenaWireFrameTests {
  private static let event = V1.SessionEvent(
    event: .dataMessage(V1.DataMessage(sequence: 7, topic: "chat", data: [1, 2, 3])))
  private static let position = V1.StreamPosition(stream: "messages", epoch: 5, sequence: 7)

  @Test(arguments: [event, nil], [position, nil])
  func `the frame of one event equals the frame of a list with that event`(
    event: V1.SessionEvent?, position: V1.StreamPosition?
  ) {
    let header = V1.EventHeader(epoch: 5, sequence: 7)
    let body = V1.SessionEvents(
      events: event.map { [$0] } ?? [], positions: position.map { [$0] } ?? [])
    let frame = bytes(of: ArenaWireFrame(header: header, event: event, at: position))
    #expect(frame == bytes(of: ArenaWireFrame(header: header, body: body)))
  }

  private func bytes(of frame: consuming ArenaWireFrame) -> [UInt8] {
    let count = frame.count
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
      written = unsafe frame.write(to: buffer)
    }
  }
}
