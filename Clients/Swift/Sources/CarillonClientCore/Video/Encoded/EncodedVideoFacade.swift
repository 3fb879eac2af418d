/// The encoded frames of remote videos, available as `CarillonMeetingSession.encodedVideo`.
/// Carillon adds this protocol to the interface of the meetings SDK for iOS.
///
/// A session decodes VP8 and passes the pictures to the views that are bound to tiles. A session
/// does not decode H.264: a tile with H.264 exists and has a size, but its view receives no
/// pictures. With this protocol, a program receives the encoded frames of a tile, for example to
/// record them. Any thread may call the methods.
public protocol EncodedVideoFacade: AnyObject, Sendable {
  /// Passes the encoded frames of a remote tile to a sink, and requests a key frame.
  ///
  /// The first frame that the sink receives is a key frame. After a loss, the sink receives no
  /// frame before the next key frame, which the session requests. A tile may have several sinks.
  /// Has no effect if the sink already receives the frames of this tile.
  ///
  /// A program may add a sink before the session starts. The session keeps the sink until the
  /// program removes the sink, or until the session stops.
  func addEncodedVideoSink(sink: any EncodedVideoSink, tileId: Int)

  /// Removes a sink from a tile. Has no effect if the tile does not have the sink.
  ///
  /// The session removes the sink asynchronously, so some frames may arrive after this call.
  func removeEncodedVideoSink(sink: any EncodedVideoSink, tileId: Int)
}

/// A receiver of the encoded frames of remote videos. Carillon adds this protocol to the interface
/// of the meetings SDK for iOS.
public protocol EncodedVideoSink: AnyObject, Sendable {
  /// Receives a frame, in order. The session calls this method on a queue of the tile.
  ///
  /// Until this method returns, the next frames of the tile wait. If too many frames wait, the
  /// session drops all frames up to the next key frame, which the session requests.
  func onEncodedFrameReceived(frame: EncodedFrame)
}
