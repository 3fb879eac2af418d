import Bus
import Wire

/// One operator's open `WatchTiles`.
struct TileWatch {
  let stream: ServerStream<V1.ForwardingUpdate>

  /// What it passes on; `nil` until the meeting was looked up.
  var source: (channel: RequestChannel, stream: StreamHandle)?
}
