import MeetingModel
import Testing
import Wire

@Suite struct MessageTests {
  @Test func `a packed message is read back unchanged`() throws {
    #expect(try V1.SessionEvents(packed: roster.packed()) == roster)
    #expect(roster.packedCount == roster.packed().count)
  }

  @Test func `a request header packs to the expected bytes`() throws {
    let header = V1.RequestHeader(
      version: 1, callID: 300, kind: .call, method: 0x0102_0304, sessionID: [0xff],
      traceparent: "é")
    let bytes: [UInt8] = [
      0x08, 1, 0x10, 0xac, 0x02, 0x18, 1, 0x25, 4, 3, 2, 1, 0x32, 1, 0xff, 0x42, 2, 0xc3, 0xa9,
    ]
    #expect(header.packed() == bytes)
    #expect(try V1.RequestHeader(packed: bytes) == header)
  }

  @Test func `a message of default values packs to no bytes and is read from no bytes`() throws {
    for type in V1.allMessages { try expectDefaults(type) }
  }

  private func expectDefaults<M: WireMessage>(_ type: M.Type) throws {
    #expect(try M(packed: []) == M())
    #expect(M().packed() == [])
    #expect(M().packedCount == 0)
  }

  @Test func `unknown fields are ignored`() throws {
    let unknown = record(5000, 0, [1]) + field(5001, [0xff, 0]) + record(5002, 5, [1, 2, 3, 4])
    #expect(try V1.SessionEvents(packed: unknown + roster.packed() + unknown) == roster)
  }

  @Test func `an unknown enum number is kept`() throws {
    let status = V1.Status(code: .init(rawValue: 99), reason: .init(rawValue: -7))
    #expect(status.code == .unrecognized(99))
    let copy = try V1.Status(packed: status.packed())
    #expect(copy.code.rawValue == 99)
    #expect(copy.reason == .unrecognized(-7))
  }

  @Test func `a status keeps its retry delay, if any`() throws {
    let sentAway = Status(
      .unavailable, "Come back.", reason: .overloaded, retryAfter: .milliseconds(1_250))
    #expect(Status(try V1.Status(packed: V1.Status(sentAway).packed())) == sentAway)
    let plain = Status(.unavailable, "Come back.")
    #expect(Status(try V1.Status(packed: V1.Status(plain).packed())) == plain)
  }

  @Test func `every known number of a status code has an enum case`() {
    for code in V1.StatusCode.allCases { #expect(V1.StatusCode(rawValue: code.rawValue) == code) }
    #expect(V1.StatusCode() == .ok)
    #expect(V1.StatusCode.allCases.map(\.rawValue) == Array(0...16))
  }

  @Test func `two concatenated packed lists are read as one list`() throws {
    let first = V1.SessionEvents(events: [roster.events[0]])
    let second = V1.SessionEvents(events: [roster.events[1]], positions: roster.positions)
    #expect(try V1.SessionEvents(packed: first.packed() + second.packed()) == roster)
  }

  @Test func `a oneof that is set twice has the value that was set last`() throws {
    let snapshot = V1.ReplayReply(outcome: .snapshot(.init(meetingID: "m-1")))
    let events = V1.ReplayReply(outcome: .events(.init()))
    #expect(try V1.ReplayReply(packed: snapshot.packed() + events.packed()) == events)
    #expect(try V1.ReplayReply(packed: events.packed() + snapshot.packed()) == snapshot)
  }

  @Test func `numbers in a list are read from packed and unpacked fields`() throws {
    let header = V1.ReplyHeader(servedVersions: [1, 2, 300])
    let loose = record(5, 0, [1]) + record(5, 0, [2]) + record(5, 0, varint(300))
    #expect(try V1.ReplyHeader(packed: loose) == header)
    #expect(try V1.ReplyHeader(packed: header.packed()) == header)
  }

  @Test func `threads can unpack messages simultaneously`() async {
    let bytes = roster.packed()
    let failures = await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { (0..<200).count { _ in (try? V1.SessionEvents(packed: bytes)) != roster } }
      }
      return await group.reduce(0, +)
    }
    #expect(failures == 0)
  }

  @Test func `message names are unique, and each method key is the hash of the method's name`() {
    #expect(Set(V1.allMessages.map { $0.protoName }).count == V1.allMessages.count)
    #expect(Set(V1.allMethods.map(\.key)).count == V1.allMethods.count)
    for method in V1.allMethods {
      let hash = method.name.utf8.reduce(UInt32(0x811c_9dc5)) {
        ($0 ^ UInt32($1)) &* 0x0100_0193
      }
      #expect(method.key == hash, "\(method.name)")
    }
    #expect(V1.PresenceMethods.join.name == "carillon.v1.Presence/Join")
    #expect(!V1.PresenceMethods.join.description.isStream)
    #expect(V1.AudioVideoFacadeMethods.start.description.isStream)
  }
}
