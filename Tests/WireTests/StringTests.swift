import Testing
import Wire

@Suite struct StringTests {
  private static let notUTF8: [[UInt8]] = [
    [0xff], [0x61, 0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf5, 0x80, 0x80, 0x80],
  ]

  @Test(arguments: notUTF8)
  func `a string that is not UTF-8 is refused in every field`(bytes: [UInt8]) {
    for type in V1.allMessages {
      let refused = refusals(of: type, bytes).compactMap { error -> String? in
        guard case .invalidUTF8(let field) = error else { return nil }
        return field
      }
      expect(refused, coverTextOf: type)
    }
  }

  @Test(arguments: [[0], [0x61, 0], [0, 0x61], [0x61, 0, 0x62]])
  func `a string that contains a NUL is refused in every field`(bytes: [UInt8]) {
    for type in V1.allMessages {
      let refused = refusals(of: type, bytes).compactMap { error -> String? in
        guard case .embeddedNUL(let field) = error else { return nil }
        return field
      }
      expect(refused, coverTextOf: type)
    }
  }

  /// Returns the errors of unpacking `bytes`, once in each field: in the fields 1-100 and
  /// 1000-1010. The numbers 1000-1010 are for fields that Carillon adds to messages of other
  /// protocols.
  private func refusals<M: WireMessage>(of type: M.Type, _ bytes: [UInt8]) -> [WireError] {
    (Array(1...100) + Array(1000...1010)).compactMap { number in
      do throws(WireError) {
        _ = try M(packed: field(number, bytes))
        return nil
      } catch {
        return error
      }
    }
  }

  /// Expects that `refused` names every text field of the message, and no field twice.
  private func expect<M: WireMessage>(_ refused: [String], coverTextOf message: M.Type) {
    let kinds: [Any.Type] = [String.self, [String].self, IDText.self, IDTexts.self]
    let texts = Mirror(reflecting: M()).children.count { field in
      kinds.contains { $0 == type(of: field.value) }
    }
    #expect(refused.count >= texts, "\(M.protoName)")
    #expect(Set(refused).count == refused.count)
    #expect(refused.allSatisfy { $0.hasPrefix(M.protoName + ".") })
  }

  @Test func `the error names the invalid field at any depth`() {
    let attendee = field(1, field(2, [0xff]))  // RosterEntry.attendee.external_user_id
    let events = field(1, field(2, field(4, attendee)))
    #expect(throws: WireError.invalidUTF8(field: "carillon.v1.AttendeeInfo.external_user_id")) {
      try V1.SessionEvents(packed: events)
    }
    #expect(
      WireError.invalidUTF8(field: "carillon.v1.AttendeeInfo.external_user_id").description
        == "carillon.v1.AttendeeInfo.external_user_id is not valid UTF-8.")
  }

  @Test(arguments: [
    ("\0", ""), ("a\0b", "ab"), ("\0\0é\0", "é"), ("plain", "plain"), ("", ""), ("🎩\0", "🎩"),
  ])
  func `a NUL is removed when a string is packed`(text: String, packed: String) throws {
    let attendee = V1.AttendeeInfo(attendeeID: text)
    #expect(try V1.AttendeeInfo(packed: attendee.packed()).attendeeID == packed)
    let header = V1.EventHeader(onlyFor: [text, "x"])
    #expect(try V1.EventHeader(packed: header.packed()).onlyFor == [packed, "x"])
  }

  @Test(arguments: [1, 7, 8, 9, 15, 16, 17, 4096, 100_000])
  func `a string of any length is read back unchanged`(count: Int) throws {
    let text = String(repeating: "x", count: count - 1) + "é"
    #expect(
      try V1.AttendeeInfo(packed: V1.AttendeeInfo(attendeeID: text).packed()).attendeeID == text)
  }
}
