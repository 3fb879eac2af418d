internal import CarillonClientCore
internal import Synchronization
internal import ZeroMQ

/// The media engine that carries RTP over ZeroMQ.
///
/// A ``ClientMediaSession`` on the media thread holds the engine's state. Commands wait for this
/// session in order, and one wakeup of the media thread handles all waiting commands. For each
/// frame, execution changes to another thread once. For packets, execution never changes to another
/// thread.
final class RTPMediaEngine: MediaEngine {
  private let session: ClientMediaSession
  private let encoding = Mutex<VideoEncoderQueue?>(nil)

  init(audio: MediaAudio, in context: ZMQContext, on thread: SocketThread, log: SessionLogger) {
    session = ClientMediaSession(audio: audio, in: context, on: thread, log: log)
  }

  deinit { end() }

  func begin(telling delegate: any MediaEngineDelegate, _ settings: SessionMediaSettings) {
    session.post(.begin(delegate, settings))
  }

  func move(to place: MediaEndpoint) { session.post(.move(place)) }

  func setMuted(_ isMuted: Bool) { session.post(.mute(isMuted)) }

  func setReceived(_ tracks: [RemoteVideoTrack]) { session.post(.receive(tracks)) }

  func addEncodedVideoSink(_ sink: any EncodedVideoSink, of tileId: Int) {
    session.post(.addSink(sink, tileId: tileId))
  }

  func removeEncodedVideoSink(_ sink: any EncodedVideoSink, of tileId: Int) {
    session.post(.removeSink(sink, tileId: tileId))
  }

  func setPublished(_ publication: VideoPublication?) {
    let made = publication.map { publication in
      VideoEncoderQueue(publication) { [weak session] outputs in
        session?.post(.send(outputs, of: publication.number))
      }
    }
    let former = encoding.withLock { encoding in
      defer { encoding = made }
      return encoding
    }
    former?.close()
    session.post(.publish(made))
  }

  func send(_ frame: CarillonClientCore.VideoFrame, number: UInt64) {
    guard let encoding = encoding.withLock({ $0 }), encoding.publication.number == number else {
      return
    }
    encoding.encode(frame)
  }

  func take(_ figures: ServerMeasuredMetrics) { session.post(.take(figures)) }

  func end() {
    encoding.withLock { $0.take() }?.close()
    session.post(.end)
  }

  /// Returns after the session has executed all earlier commands.
  func ended() async { await session.settle() }
}
