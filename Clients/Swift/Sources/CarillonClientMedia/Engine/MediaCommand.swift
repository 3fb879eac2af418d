internal import CarillonClientCore

/// A command that a ``MediaSession`` executes on its thread, in the order of posting.
enum MediaCommand: Sendable {
  case begin(any MediaEngineDelegate, MediaSettings)
  case move(MediaPlace)
  case mute(Bool)
  case receive([MediaTrack])
  case publish(VideoEncoding?)
  case send([VideoEncoding.Output], of: UInt64)
  case undecodable(ssrc: UInt32)
  case take(ServerFigures)
  case end
}
