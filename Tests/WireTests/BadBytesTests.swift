import Testing

@testable import Wire

@Suite struct BadBytesTests {
  @Test func `random bytes are refused or unpack to a message that packs consistently`() throws {
    var generator = SeededGenerator(seed: 1)
    for type in V1.allMessages + Signaling.allMessages {
      for round in 0..<60 {
        try feed(
          round.isMultiple(of: 2) ? generator.bytes(upTo: 200) : generator.records(), to: type)
      }
    }
  }

  private func feed<M: WireMessage>(_ bytes: [UInt8], to type: M.Type) throws {
    guard let message = try? M(packed: bytes) else { return }
    let packed = message.packed()
    #expect(try M(packed: packed).packed() == packed)
  }

  @Test func `a truncated message is refused or unpacks to a valid shorter message`() throws {
    let bytes = roster.packed()
    for count in bytes.indices { try feed(Array(bytes[..<count]), to: V1.SessionEvents.self) }
    #expect(throws: WireError.malformed(message: "carillon.v1.SessionEvents")) {
      try V1.SessionEvents(packed: Array(bytes.dropLast()))
    }
  }

  @Test func `a message with any one byte damaged is refused or unpacks to a valid message`() throws
  {
    let bytes = roster.packed()
    var generator = SeededGenerator(seed: 2)
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] = .random(in: 0...255, using: &generator)
      try feed(damaged, to: V1.SessionEvents.self)
    }
  }

  private static let noProtobuf: [[UInt8]] = [
    [0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f],  // A length of 4 GiB.
    [0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],  // A length of 2^64 - 1.
    [0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],  // An endless length.
    [0x00], [0x07], [0x80], [0x0b], [0x0c],  // Invalid tags.
  ]

  @Test(arguments: noProtobuf)
  func `bytes that are not valid protobuf are refused as malformed`(bytes: [UInt8]) {
    #expect(throws: WireError.malformed(message: "carillon.v1.SessionEvents")) {
      try V1.SessionEvents(packed: bytes)
    }
  }

  @Test func `a message above the size limit is refused before it is read`() throws {
    let bytes = roster.packed()
    let limits = WireLimits(maximumBytes: bytes.count, maximumMemory: 1 << 20)
    #expect(try V1.SessionEvents(packed: bytes, limits: limits) == roster)
    #expect(throws: WireError.tooLarge(bytes: bytes.count + 1, limit: bytes.count)) {
      try V1.SessionEvents(packed: bytes + [0], limits: limits)
    }
  }

  @Test func `unpacking fails with an error under any memory limit that is too small`() throws {
    let bytes = roster.packed()
    var needed = 0
    while true {
      let limits = WireLimits(maximumBytes: .max, maximumMemory: needed)
      do throws(WireError) {
        #expect(try V1.SessionEvents(packed: bytes, limits: limits) == roster)
        break
      } catch {
        #expect(error == .needsTooMuchMemory(limit: needed))
        needed += 8
      }
    }
    #expect((400...4000).contains(needed))
  }

  @Test func `a message that needs more than a client's memory limit is refused`() {
    let tiny = [UInt8](repeating: 0, count: WireLimits.client.maximumBytes / 2).flatMap { _ in
      [UInt8]([0x0a, 0x00])
    }
    #expect(throws: WireError.needsTooMuchMemory(limit: WireLimits.client.maximumMemory)) {
      try V1.SessionEvents(packed: tiny, limits: .client)
    }
  }

  @Test func `a large roster fits within a client's memory limit`() throws {
    let entry = V1.RosterEntry(
      attendee: V1.AttendeeInfo(
        attendeeID: String(repeating: "a", count: 36), externalUserID: "user"),
      isMuted: true, volume: .muted, signal: .high, joinedAtMs: 1_700_000_000_000)
    let snapshot = V1.RosterSnapshot(entries: Array(repeating: entry, count: 500))
    #expect(try V1.RosterSnapshot(packed: snapshot.packed(), limits: .client) == snapshot)
  }

  @Test func `two arenas on one thread do not share memory`() {
    let outer = WireArena()
    let text = outer.text("outer")
    do {
      let inner = WireArena(limit: 1 << 20)
      _ = inner.text(String(repeating: "x", count: 100_000))
    }
    _ = WireArena().text(String(repeating: "y", count: 100))
    #expect(String(cString: text) == "outer")
  }
}
