/// A remote video that the session may receive, as one stream. The stream carries one of the
/// publisher's layers at a time.
package struct RemoteVideoTrack: Hashable, Sendable {
  /// The id of the tile that shows the video.
  package var tileId: Int
  /// The SSRC of the video's packets.
  package var ssrc: UInt32

  package init(tileId: Int, ssrc: UInt32) {
    self.tileId = tileId
    self.ssrc = ssrc
  }
}
