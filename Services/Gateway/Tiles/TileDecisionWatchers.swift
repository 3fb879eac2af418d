import Bus
import MeetingModel
import Wire

/// Forwards the decisions of `video-tiles` to operators who watch these decisions.
final class TileDecisionWatchers {
  /// One operator's open `WatchTiles`.
  private struct Watch {
    let stream: ServerStream<V1.ForwardingUpdate>

    /// The call whose items the gateway forwards; `nil` until the store has returned the meeting.
    var source: (channel: RequestChannel, stream: StreamCallHandle)?
  }

  private unowned let tiles: TilesServiceConnector
  private var watches: [UInt64: Watch] = [:]
  private var last: UInt64 = 0

  init(_ tiles: TilesServiceConnector) { self.tiles = tiles }

  /// Adds an operator's watch. The caller then reads the meeting from the store.
  func add(_ stream: ServerStream<V1.ForwardingUpdate>) -> UInt64 {
    last += 1
    let number = last
    watches[number] = Watch(stream: stream)
    stream.onCancel = { [unowned self] in giveUp(number) }
    return number
  }

  /// Begins to forward a meeting's decisions, after the store has returned the meeting.
  func begin(_ number: UInt64, on meeting: Result<MeetingID, Status>) {
    guard watches[number] != nil else { return }
    do throws(Status) {
      let id = try meeting.get()
      let client = try tiles.follower.reachableOwner(of: id).client
      let stream = client.watchDecisions(
        V1.WatchDecisionsRequest(meetingID: id.text),
        onItem: { [unowned self] update in passOn(update, to: number) },
        onEnd: { [unowned self] status in end(number, with: status) })
      watches[number]?.source = (client.channel, stream)
    } catch {
      end(number, with: error)
    }
  }

  /// Forwards an update.
  ///
  /// If the gateway cannot send the update, it ends the watch, because later updates depend on the
  /// lost update. The operator must call again.
  private func passOn(_ update: V1.ForwardingUpdate, to number: UInt64) {
    guard let watch = watches[number], !watch.stream.send(update) else { return }
    giveUp(number)
    watch.stream.end(
      Status(
        .unavailable, "The gateway could not send an update; watch again to get all decisions.",
        reason: .slowConsumer))
  }

  private func end(_ number: UInt64, with status: Status?) {
    watches.removeValue(forKey: number)?.stream.end(status)
  }

  private func giveUp(_ number: UInt64) {
    guard let source = watches.removeValue(forKey: number)?.source else { return }
    source.channel.cancel(source.stream)
  }
}
