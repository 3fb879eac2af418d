import Bus
import MeetingModel
import Wire
import ZeroMQ

// What an operator sees of video: the decisions of video-tiles, passed on as they come.
extension GatewayService {
  func watchTiles(
    _ request: V1.WatchTilesRequest, _ stream: ServerStream<V1.ForwardingUpdate>
  ) {
    lastTileWatch += 1
    let number = lastTileWatch
    tileWatches[number] = TileWatch(stream: stream)
    stream.onCancel = { [unowned self] in assumeIsolated { $0.giveUpTileWatch(number) } }
    // It ends by itself: looking a meeting up is bounded.
    Task(executorPreference: thread) { await self.beginTileWatch(number, request) }
  }

  private func beginTileWatch(_ number: UInt64, _ request: V1.WatchTilesRequest) async {
    do throws(Status) {
      let meeting = try await control.board(of: request)
      guard tileWatches[number] != nil else { return }
      guard let owner = tiles.owner(of: meeting) else { throw Self.tilesAreAway }
      let stream = owner.client.watchDecisions(
        V1.WatchDecisionsRequest(meetingID: meeting.text),
        onItem: { [unowned self] update in
          assumeIsolated { $0.passOn(update, to: number) }
        },
        onEnd: { [unowned self] status in
          assumeIsolated { $0.endTileWatch(number, with: status) }
        })
      tileWatches[number]?.source = (owner.client.channel, stream)
    } catch {
      endTileWatch(number, with: error)
    }
  }

  /// Changes are worth nothing behind one that was lost: whoever reads too slowly calls again.
  private func passOn(_ update: V1.ForwardingUpdate, to number: UInt64) {
    guard let watch = tileWatches[number], !watch.stream.send(update) else { return }
    giveUpTileWatch(number)
    watch.stream.end(
      Status(
        .unavailable, "An update could not be sent; watch again for all of it.",
        reason: .slowConsumer))
  }

  private func endTileWatch(_ number: UInt64, with status: Status?) {
    tileWatches.removeValue(forKey: number)?.stream.end(status)
  }

  private func giveUpTileWatch(_ number: UInt64) {
    guard let source = tileWatches.removeValue(forKey: number)?.source else { return }
    source.channel.cancel(source.stream)
  }
}
