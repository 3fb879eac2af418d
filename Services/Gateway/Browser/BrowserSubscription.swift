import Wire

/// The contents of a SUBSCRIBE: all video that a browser sends and receives.
struct BrowserSubscription: Hashable {
  /// The SDP offer, which only `media` parses.
  let offer: String

  /// Whether the browser offers pictures of its own.
  let sendsVideo: Bool

  /// The encodings that the browser sends, in the browser's order.
  let encodings: [Encoding]

  /// The streams that the browser receives, in the order of the offer's sections.
  let streamIDs: [UInt32]

  /// The browser's requests for some of the streams in ``streamIDs``.
  let wishes: [VideoSectionRequest]

  /// One encoding of the browser's own pictures.
  struct Encoding: Hashable {
    /// The maximum bitrate, in kbit/s; 0 while the browser pauses the encoding.
    let maxBitrateKbps: UInt32

    /// Frames per second; 0 if unknown.
    let framesPerSecond: UInt32
  }

  init(
    offer: String, sendsVideo: Bool = false, encodings: [Encoding] = [],
    streamIDs: [UInt32] = [], wishes: [VideoSectionRequest] = []
  ) {
    (self.offer, self.sendsVideo, self.encodings) = (offer, sendsVideo, encodings)
    (self.streamIDs, self.wishes) = (streamIDs, wishes)
  }

  init(_ frame: Signaling.SdkSubscribeFrame) {
    self.init(
      offer: frame.sdpOffer ?? "", sendsVideo: frame.duplex == .duplex,
      encodings: Self.video(of: frame.sendStreams).map(Encoding.init(_:)),
      streamIDs: Array(frame.receiveStreamIDs.lazy.filter { $0 != 0 }.prefix(Self.mostStreams)),
      wishes: VideoSectionRequest.all(frame.videoSubscriptionConfiguration))
  }

  /// The maximum number of streams. Clients receive fewer streams. The gateway ignores further
  /// streams.
  private static let mostStreams = 256

  /// Returns the descriptors that describe video.
  ///
  /// The C++ client sends no media types, but lists its audio before its video.
  private static func video(
    of descriptors: [Signaling.SdkStreamDescriptor]
  ) -> [Signaling.SdkStreamDescriptor] {
    descriptors.enumerated().filter { index, descriptor in
      descriptor.mediaType.map { $0 == .video } ?? (index > 0)
    }.map(\.element)
  }
}

extension BrowserSubscription.Encoding {
  fileprivate init(_ descriptor: Signaling.SdkStreamDescriptor) {
    self.init(
      maxBitrateKbps: descriptor.maxBitrateKbps ?? 0, framesPerSecond: descriptor.framerate ?? 0)
  }
}
