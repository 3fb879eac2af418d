import Bus
import MeetingModel

/// How far clients had come that cannot say so themselves, for a while after they were lost.
struct ResumeMemory {
  struct Entry {
    let positions: [MeetingStream: StreamCursor]
    let isMuted: Bool
    let since: ContinuousClock.Instant
  }

  private var entries: [SessionID: Entry] = [:]

  static let lifetime = Duration.seconds(180)
  private static let most = 10_000

  subscript(id: SessionID) -> Entry? { entries[id] }

  mutating func remember(_ id: SessionID, _ entry: Entry) {
    guard entries.count < Self.most || entries[id] != nil else { return }
    entries[id] = entry
  }

  mutating func forget(_ id: SessionID) { entries[id] = nil }

  mutating func forgetOld(at now: ContinuousClock.Instant) {
    entries = entries.filter { now - $0.value.since < Self.lifetime }
  }
}
