internal import CarillonClientCore

/// A command that a ``MediaSession`` executes on its thread, in the order of posting.
enum MediaSessionCommand: Sendable {
  case begin(any MediaEngineDelegate, MediaSettings)
  case move(MediaEndpoint)
  case mute(Bool)
  case receive([MediaTrack])
  case publish(VideoEncoderQueue?)
  case send([VideoEncoderQueue.Output], of: UInt64)
  case undecodable(ssrc: UInt32)
  case take(ServerMeasuredMetrics)
  case end
}
