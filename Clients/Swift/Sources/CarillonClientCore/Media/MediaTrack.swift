/// A remote video that may come: one stream, whichever of its publisher's layers it carries.
package struct MediaTrack: Hashable, Sendable {
  /// The tile that shows it.
  package var tileId: Int
  /// SSRC of its packets.
  package var ssrc: UInt32

  package init(tileId: Int, ssrc: UInt32) {
    self.tileId = tileId
    self.ssrc = ssrc
  }
}
