import MeetingModel
import Testing

@Suite struct IdentifierTests {
  private let text = "7c0a1f2e-9b3d-4c5e-8f70-112233445566"

  @Test(arguments: [
    ("7c0a1f2e-9b3d-4c5e-8f70-112233445566", true),
    ("7C0A1F2E-9B3D-4C5E-8F70-112233445566", true),
    ("00000000-0000-0000-0000-000000000000", true),
    ("ffffffff-ffff-ffff-ffff-ffffffffffff", true),
    ("", false),
    ("7c0a1f2e9b3d4c5e8f70112233445566", false),
    ("7c0a1f2e-9b3d-4c5e-8f70-11223344556", false),
    ("7c0a1f2e-9b3d-4c5e-8f70-1122334455667", false),
    ("7c0a1f2e-9b3d-4c5e-8f70-11223344556g", false),
    ("7c0a1f2e-9b3d-4c5e-8f701-12233445566", false),
    ("7c0a1f2e-9b3d-4c5e+8f70-112233445566", false),
    ("{7c0a1f2e-9b3d-4c5e-8f70-112233445566}", false),
    (" 7c0a1f2e-9b3d-4c5e-8f70-112233445566", false),
    ("7c0a1f2e-9b3d-4c5e-8f70-11223344556\u{0}", false),
    ("７c0a1f2e-9b3d-4c5e-8f70-112233445566", false),
  ])
  func `a GUID is 8-4-4-4-12 hexadecimal digits in any case`(text: String, isValid: Bool) {
    #expect(((try? MeetingID(text)) != nil) == isValid)
    #expect(((try? AttendeeID(text)) != nil) == isValid)
  }

  @Test func `a text of ten thousand characters is not a GUID`() {
    #expect(GUID(String(repeating: "a", count: 10_000)) == nil)
  }

  @Test func `an id in upper case equals the id in lower case and is shown in lower case`() throws {
    let id = try MeetingID(text.uppercased())
    #expect(try id == MeetingID(text))
    #expect(id.text == text)
  }

  @Test func `the error for a malformed id names the kind of id`() {
    let error = #expect(throws: InvalidModelValue.self) { try MeetingID("nonsense") }
    #expect(error?.status.code == .invalidArgument)
    #expect(error?.status.reason == .malformed)
    #expect(error?.status.message.contains("meeting id") == true)
    #expect(error?.status.message.contains("nonsense") == false)
  }

  @Test func `a random id has the version and variant of a version-4 GUID`() throws {
    for _ in 0..<100 {
      let characters = Array(MeetingID.random().text)
      #expect(characters[14] == "4")
      #expect("89ab".contains(characters[19]))
    }
  }

  @Test func `random ids do not repeat`() {
    #expect(Set((0..<1_000).map { _ in AttendeeID.random() }).count == 1_000)
  }

  @Test func `the text and the bytes of a random id contain the same id`() throws {
    let id = AttendeeID.random()
    #expect(try AttendeeID(id.text) == id)
    let digits = id.guid.bytes.map { byte in
      let text = String(byte, radix: 16)
      return text.count == 1 ? "0" + text : text
    }
    #expect(digits.joined() == id.text.filter { $0 != "-" })
  }

  @Test func `the text of an id is appended to bytes`() {
    let id = AttendeeID.random()
    for participant in [ParticipantID(id), ParticipantID(id, modality: .content)] {
      var bytes = Array("id: ".utf8)
      participant.append(to: &bytes)
      #expect(String(decoding: bytes, as: UTF8.self) == "id: \(participant.text)")
    }
  }

  @Test func `a log shows eight characters of an id`() throws {
    #expect(try "\(MeetingID(text))" == "7c0a1f2e…")
  }

  @Test func `ids are ordered like their texts`() {
    let ids = (0..<50).map { _ in MeetingID.random() }
    #expect(ids.sorted().map(\.text) == ids.map(\.text).sorted())
  }
}

@Suite struct ParticipantIDTests {
  private static let base = "7c0a1f2e-9b3d-4c5e-8f70-112233445566"

  @Test(arguments: [
    ("", true), ("#content", true), ("#", false), ("#Content", false), ("#x", false),
    ("##content", false), ("#content#content", false), ("#content ", false), ("content", false),
  ])
  func `a participant id is an attendee id with at most one known modality`(
    suffix: String, isValid: Bool
  ) {
    #expect(((try? ParticipantID(Self.base + suffix)) != nil) == isValid)
  }

  @Test(arguments: ["", "#content", "abc#content", "#"])
  func `a participant id without an attendee id is refused`(text: String) {
    #expect(throws: InvalidModelValue.self) { try ParticipantID(text) }
  }

  @Test func `the id of a content share contains the owner's id and differs from that id`() throws {
    let share = try ParticipantID(Self.base.uppercased() + "#content")
    let owner = try ParticipantID(Self.base)
    #expect(share != owner)
    #expect(share.attendee == owner.attendee)
    #expect(share.isContent && !owner.isContent)
    #expect(share.text == Self.base + "#content")
    #expect(owner.text == Self.base)
    #expect("\(share)" == "7c0a1f2e…#content")
    #expect(owner < share && !(share < owner) && !(owner < owner))
  }
}

@Suite struct SessionIDTests {
  @Test(arguments: [0, 1, 15, 17, 32])
  func `a session id must have sixteen bytes`(count: Int) {
    #expect(SessionID(bytes: [UInt8](repeating: 7, count: count)) == nil)
  }

  @Test func `a session id keeps its bytes, and its description shows the first four bytes`() throws
  {
    let bytes: [UInt8] = [0xDE, 0xAD, 0xBE, 0x0F] + [UInt8](4...15)
    let id = try #require(SessionID(bytes: bytes))
    #expect(id.bytes == bytes)
    #expect("\(id)" == "deadbe0f…")
  }

  @Test func `session ids are equal only if all their bits are equal`() throws {
    let id = SessionID.random()
    #expect(SessionID(bytes: id.bytes) == id)
    for bit in 0..<128 {
      var bytes = id.bytes
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(SessionID(bytes: bytes) != id)
    }
  }

  @Test func `random session ids do not repeat`() {
    #expect(Set((0..<1_000).map { _ in SessionID.random() }).count == 1_000)
  }
}

@Test(
  arguments: [
    ([], [], true), ([1, 2], [1, 2], true), ([1, 2], [1, 3], false), ([1, 2], [0, 2], false),
    ([1], [1, 2], false), ([1, 2], [], false),
  ] as [([UInt8], [UInt8], Bool)])
func `the constant-time comparison returns whether bytes are equal`(
  left: [UInt8], right: [UInt8], areEqual: Bool
) {
  #expect(ConstantTime.areEqual(left, right) == areEqual)
}
