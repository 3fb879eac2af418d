import TestSupport
import Trials

@testable import CarillonClientCore

extension ConnectedClient {
  /// Waits until ``seen`` contains a line at least `times` times.
  func sees(_ line: String, times: Int = 1) async throws {
    try await seen.wait(for: line) { $0.count { $0 == line } >= times }
  }

  /// Returns the entries of ``seen`` from the index `start` up to a line.
  func seen(from start: Int, to line: String) async throws -> [String] {
    try await seen.wait(for: line) { $0.dropFirst(start).contains(line) }.dropFirst(start) + []
  }

  /// Delivers a first frame of a tile, and waits for the tile.
  func begins(_ tileId: Int, of attendeeId: String = "bob") async throws {
    try await eventually("tile \(tileId)") {
      await give(tileId)
      return seen.entries.contains("add \(tileId) \(attendeeId)")
    }
  }

  /// Delivers one frame, as the media engine does.
  func give(_ tileId: Int, _ width: Int = 640, _ height: Int = 360) async {
    let tracks = tracks
    await MainActor.run { tracks.receive(.blank(width, height), of: tileId) }
  }
}

extension ConnectedClient: VideoTileObserver, ContentShareObserver {
  func videoSessionDidStartConnecting() { seen.append("connecting") }
  func videoSessionDidStartWithStatus(sessionStatus: MeetingSessionStatus) {
    seen.append("started \(sessionStatus.statusCode)")
  }
  func videoSessionDidStopWithStatus(sessionStatus: MeetingSessionStatus) {
    seen.append("stopped \(sessionStatus.statusCode)")
  }
  func remoteVideoSourcesDidBecomeAvailable(sources: [RemoteVideoSource]) {
    for source in sources { self.sources.append(MainQueueBox(value: source)) }
    seen.append("available " + sources.map(\.attendeeId).joined(separator: " "))
  }
  func remoteVideoSourcesDidBecomeUnavailable(sources: [RemoteVideoSource]) {
    for source in sources { self.sources.append(MainQueueBox(value: source)) }
    seen.append("unavailable " + sources.map(\.attendeeId).joined(separator: " "))
  }
  func cameraSendAvailabilityDidChange(available: Bool) { seen.append("camera \(available)") }
  func videoTileDidAdd(tileState: VideoTileState) {
    seen.append("add \(tileState.tileId) \(tileState.attendeeId)")
  }
  func videoTileDidRemove(tileState: VideoTileState) { seen.append("remove \(tileState.tileId)") }
  func videoTileDidPause(tileState: VideoTileState) { seen.append("pause \(tileState.tileId)") }
  func videoTileDidResume(tileState: VideoTileState) { seen.append("resume \(tileState.tileId)") }
  func videoTileSizeDidChange(tileState: VideoTileState) {
    seen.append("size \(tileState.tileId)")
  }
  func contentShareDidStart() { seen.append("share started") }
  func contentShareDidStop(status: ContentShareStatus) {
    seen.append("share stopped \(status.statusCode)")
  }
}
