import MeetingModel
import Storage

/// The content of a store of messages, in memory. The disk applies a batch completely or not at
/// all.
struct FakeDisk {
  private(set) var stored = StoredLogs()

  /// Returns a page of a log, with at most `count` messages, as the real store would return the
  /// page.
  func page(
    of meeting: MeetingID, epoch: UInt64, after: UInt64, through: UInt64, atMost count: Int
  ) -> StoredPage {
    guard let log = stored.logs[meeting], log.state.epoch == epoch else {
      return StoredPage(messages: [], through: through)
    }
    let messages = log.messages.filter { $0.sequence > after && $0.sequence <= through }
    guard messages.count > count else { return StoredPage(messages: messages, through: through) }
    return StoredPage(
      messages: Array(messages.prefix(count)), through: messages[count].sequence - 1)
  }

  /// - Returns: Whether the disk applied the batch; `false` if a log differs from the batch's
  ///   expectation.
  mutating func apply(_ batch: MessagesBatch) -> Bool {
    var next = stored
    for (meeting, time) in batch.ended {
      next.logs[meeting] = nil
      next.endings[meeting] = time
    }
    for meeting in batch.forgotten {
      next.logs[meeting] = nil
      next.endings[meeting] = nil
    }
    for (meeting, change) in batch.changes {
      var log = next.logs[meeting] ?? StoredLog(state: change.state)
      let isNew = next.logs[meeting] == nil
      guard
        isNew && change.previousSequence == 0
          || log.state.epoch == change.state.epoch
            && log.state.lastSequence == change.previousSequence
      else { return false }
      log.state = change.state
      log.messages.removeAll { change.pruned.contains($0.sequence) }
      log.messages += change.appended
      for session in change.joined {
        log.sessions.removeAll { $0.id == session.id }
        log.sessions.append(session)
      }
      log.sessions.removeAll { change.left.contains($0.id) }
      next.logs[meeting] = log
    }
    stored = next
    return true
  }
}
