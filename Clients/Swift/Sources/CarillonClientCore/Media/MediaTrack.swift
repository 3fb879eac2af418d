/// A remote video that may arrive: one stream, which carries any of its publisher's layers.
package struct MediaTrack: Hashable, Sendable {
  /// The tile that shows it.
  package var tileId: Int
  /// The SSRC of its packets.
  package var ssrc: UInt32

  package init(tileId: Int, ssrc: UInt32) {
    self.tileId = tileId
    self.ssrc = ssrc
  }
}
