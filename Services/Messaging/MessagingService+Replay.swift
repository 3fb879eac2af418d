import Bus
import Logging
import MeetingModel
import Ownership
import ServiceHost
import Storage
import Wire

/// Answers replays: immediately from memory, or later with pages from the store.
extension MessagingService {
  func answer(_ call: Call<V1.MessageReplay>, with query: MessageReplayQuery, of meeting: MeetingID)
  {
    do {
      var underWay = try logs.beginReplay(query, of: meeting)
      switch try logs.advance(&underWay, of: meeting, at: now) {
      case .finished(let replay): call.reply(message(replay, of: meeting))
      case .read(let after, let through):
        call.perform { [self, underWay] in
          try await read(after, through, for: underWay, of: meeting)
        }
      }
    } catch {
      call.fail(Status(describing: error))
    }
  }

  /// Reads older messages page by page, while the thread serves other requests.
  private func read(
    _ after: UInt64, _ through: UInt64, for underWay: ActiveReplay, of meeting: MeetingID
  ) async throws -> V1.MessageReplay {
    var (underWay, after, through) = (underWay, after, through)
    while true {
      let page = try await page(of: meeting, underWay.epoch, after, through)
      metrics.countRead(of: page.messages.count)
      switch try logs.advance(&underWay, of: meeting, with: page, at: now) {
      case .finished(let replay): return message(replay, of: meeting)
      case .read(let next, let end): (after, through) = (next, end)
      }
    }
  }

  private func page(
    of meeting: MeetingID, _ epoch: UInt64, _ after: UInt64, _ through: UInt64
  ) async throws(StorageError) -> StoredPage {
    do {
      return try await store.page(
        of: meeting, epoch: epoch, after: after, through: through, maxBytes: Self.pageBytes)
    } catch {
      if error != .cancelled {
        owner.logger.error(
          "Could not read messages",
          metadata: [LogMetadataKey.meeting: "\(meeting)", LogMetadataKey.error: "\(error)"])
      }
      throw error
    }
  }

  private static let pageBytes = 256 << 10

  private func message(_ replay: MessageReplayAnswer, of meeting: MeetingID) -> V1.MessageReplay {
    metrics.countReplay(of: replay.messages.count)
    return V1.MessageReplay(replay, of: meeting, term: term)
  }
}
