/// The controller that forwards the application's sinks to the media engine.
final class DefaultEncodedVideoController: EncodedVideoFacade {
  private let media: (any MediaEngine)?
  private let hasMedia: Bool
  private let log: SessionLogger

  /// - Parameters:
  ///   - media: The media engine; `nil` if the session has no media, or failed to create an engine.
  ///   - hasMedia: Whether the session has media.
  init(media: (any MediaEngine)?, hasMedia: Bool, log: SessionLogger) {
    self.media = media
    self.hasMedia = hasMedia
    self.log = log
  }

  func addEncodedVideoSink(sink: any EncodedVideoSink, tileId: Int) {
    if !hasMedia { log.noMedia("addEncodedVideoSink") }
    media?.addEncodedVideoSink(sink, of: tileId)
  }

  func removeEncodedVideoSink(sink: any EncodedVideoSink, tileId: Int) {
    media?.removeEncodedVideoSink(sink, of: tileId)
  }
}
