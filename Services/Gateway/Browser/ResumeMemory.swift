import Bus
import MeetingModel

/// The state with which a session resumes: the client's positions, and whether the client is muted.
struct ResumeState: Hashable {
  var positions: [MeetingStream: StreamCursor] = [:]
  var isMuted = false
  var isMuteUnknown = true
  var isMutedByHost = false
}

/// The resume states of clients that lost their connection and do not report their own positions.
struct ResumeMemory {
  private struct Entry {
    let state: ResumeState
    let since: ContinuousClock.Instant
  }

  private var entries: [SessionID: Entry] = [:]

  static let lifetime = Duration.seconds(180)
  private static let most = 10_000

  subscript(id: SessionID) -> ResumeState? { entries[id]?.state }

  mutating func remember(_ id: SessionID, _ state: ResumeState, at now: ContinuousClock.Instant) {
    guard entries.count < Self.most || entries[id] != nil else { return }
    entries[id] = Entry(state: state, since: now)
  }

  mutating func forget(_ id: SessionID) { entries[id] = nil }

  mutating func forgetOld(at now: ContinuousClock.Instant) {
    entries = entries.filter { now - $0.value.since < Self.lifetime }
  }
}
