import CarillonClientCore

/// A media engine that does nothing, for sessions whose media the test simulates.
final class PlayedEngine: MediaEngine {
  func begin(telling delegate: any MediaEngineDelegate, _ settings: SessionMediaSettings) {}
  func move(to place: MediaEndpoint) {}
  func setMuted(_ isMuted: Bool) {}
  func setReceived(_ tracks: [RemoteVideoTrack]) {}
  func addEncodedVideoSink(_ sink: any EncodedVideoSink, of tileId: Int) {}
  func removeEncodedVideoSink(_ sink: any EncodedVideoSink, of tileId: Int) {}
  func setPublished(_ publication: VideoPublication?) {}
  func send(_ frame: VideoFrame, number: UInt64) {}
  func take(_ figures: ServerMeasuredMetrics) {}
  func end() {}
}
