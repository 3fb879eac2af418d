import Wire

/// Numbers that look random and are the same in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  mutating func bytes(upTo count: Int) -> [UInt8] {
    (0..<Int.random(in: 0...count, using: &self)).map { _ in .random(in: 0...255, using: &self) }
  }

  /// Returns well-formed protobuf: fields 1-40 of any wire type, with some nested messages.
  mutating func records(depth: Int = 3) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 0...6, using: &self) {
      let number = Int.random(in: 1...40, using: &self)
      switch Int.random(in: 0...4, using: &self) {
      case 0:
        bytes += record(number, 0, [.random(in: 0...127, using: &self)])
      case 1:
        bytes += record(number, 1, (0..<8).map { _ in .random(in: 0...255, using: &self) })
      case 2:
        bytes += record(number, 5, (0..<4).map { _ in .random(in: 0...255, using: &self) })
      default:
        bytes += field(number, depth > 0 ? records(depth: depth - 1) : Array("text".utf8))
      }
    }
    return bytes
  }
}

/// Returns a record of the wire format: its tag and its payload.
func record(_ number: Int, _ wireType: Int, _ payload: [UInt8]) -> [UInt8] {
  varint(UInt64(number << 3 | wireType)) + payload
}

/// Returns a length-delimited record: a string, bytes or a message.
func field(_ number: Int, _ payload: [UInt8]) -> [UInt8] {
  record(number, 2, varint(UInt64(payload.count)) + payload)
}

func varint(_ value: UInt64) -> [UInt8] {
  value < 0x80
    ? [UInt8(value)] : [UInt8(truncatingIfNeeded: value) | 0x80] + varint(value >> 7)
}

/// A message with fields of every kind: nested, repeated, oneof, text, bytes and numbers.
let roster = V1.SessionEvents(
  events: [
    V1.SessionEvent(
      event: .rosterSnapshot(
        V1.RosterSnapshot(
          meetingID: "m-1", epoch: .max, sequence: 7,
          entries: [
            V1.RosterEntry(
              attendee: V1.AttendeeInfo(attendeeID: "ada", externalUserID: "Ada Lovelace 🎩"),
              isMuted: true, volume: .muted)
          ]))),
    V1.SessionEvent(event: .muteChanged(V1.MuteChanged())),
  ],
  positions: [V1.StreamPosition(stream: "roster", epoch: 1, sequence: 2)])
