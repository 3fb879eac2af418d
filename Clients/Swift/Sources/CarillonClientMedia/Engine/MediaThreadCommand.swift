internal import CarillonClientCore

/// A command that a ``ClientMediaSession`` executes on its thread, in the order of posting.
enum MediaThreadCommand: Sendable {
  case begin(any MediaEngineDelegate, SessionMediaSettings)
  case move(MediaEndpoint)
  case mute(Bool)
  case receive([RemoteVideoTrack])
  case addSink(any EncodedVideoSink, tileId: Int)
  case removeSink(any EncodedVideoSink, tileId: Int)
  case publish(VideoEncoderQueue?)
  case send([VideoEncoderQueue.Output], of: UInt64)
  case undecodable(ssrc: UInt32)
  case take(ServerMeasuredMetrics)
  case end
}
