import Synchronization
import TestSupport
import Trials

@testable import CarillonClientCore

/// A media engine that records its calls and lets the test report events.
final class NotedMedia: MediaEngine {
  enum Note: Hashable, Sendable {
    case begin(SessionMediaSettings)
    case move(MediaEndpoint)
    case mute(Bool)
    case receive([RemoteVideoTrack])
    case addSink(tileId: Int)
    case removeSink(tileId: Int)
    case publish(VideoPublication?)
    case frame(UInt64)
    case figures(ServerMeasuredMetrics)
    case end
  }

  let told = AwaitableEntryList<Note>()
  private let current = Mutex<(any MediaEngineDelegate)?>(nil)

  var delegate: (any MediaEngineDelegate)? { current.withLock { $0 } }

  func begin(telling delegate: any MediaEngineDelegate, _ settings: SessionMediaSettings) {
    current.withLock { $0 = delegate }
    told.append(.begin(settings))
  }

  func move(to place: MediaEndpoint) { told.append(.move(place)) }
  func setMuted(_ isMuted: Bool) { told.append(.mute(isMuted)) }
  func setReceived(_ tracks: [RemoteVideoTrack]) { told.append(.receive(tracks)) }
  func addEncodedVideoSink(_ sink: any EncodedVideoSink, of tileId: Int) {
    told.append(.addSink(tileId: tileId))
  }
  func removeEncodedVideoSink(_ sink: any EncodedVideoSink, of tileId: Int) {
    told.append(.removeSink(tileId: tileId))
  }
  func setPublished(_ publication: VideoPublication?) { told.append(.publish(publication)) }
  func send(_ frame: VideoFrame, number: UInt64) { told.append(.frame(number)) }
  func take(_ figures: ServerMeasuredMetrics) { told.append(.figures(figures)) }

  func end() {
    current.withLock { $0 = nil }
    told.append(.end)
  }
}
