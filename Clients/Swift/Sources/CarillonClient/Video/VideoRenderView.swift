/// A sink that can be bound to a tile.
public protocol VideoRenderView: VideoSink {}
