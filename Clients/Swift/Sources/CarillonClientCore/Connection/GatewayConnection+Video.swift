internal import Bus
internal import MeetingModel
internal import Wire

/// The calls about video.
extension GatewayConnection {
  func publish(
    _ video: V1.PublishedVideo, then: @escaping (Result<V1.PublishVideoReply, Status>) -> Void
  ) {
    gateway.publishVideo(V1.PublishVideoRequest(video: video), options: options, then: then)
  }

  func unpublish(
    _ kind: V1.VideoSourceKind,
    then: @escaping (Result<V1.UnpublishVideoReply, Status>) -> Void
  ) {
    gateway.unpublishVideo(V1.UnpublishVideoRequest(kind: kind), options: options, then: then)
  }

  func setRemoteVideo(
    _ isOn: Bool, then: @escaping (Result<V1.SetRemoteVideoReply, Status>) -> Void
  ) {
    let request = V1.SetRemoteVideoRequest(
      isReceiving: isOn, canDecode: RequestedVideo.decodableCodecs)
    gateway.setRemoteVideo(request, options: options, then: then)
  }

  func updateSubscriptions(
    _ request: V1.UpdateVideoSubscriptionsRequest,
    then: @escaping (Result<V1.UpdateVideoSubscriptionsReply, Status>) -> Void
  ) {
    gateway.updateVideoSubscriptions(request, options: options, then: then)
  }

  func setPaused(
    _ isPaused: Bool, tile: UInt32,
    then: @escaping (Result<V1.SetTilePausedReply, Status>) -> Void
  ) {
    let request = V1.SetTilePausedRequest(tileID: tile, isPaused: isPaused)
    gateway.setTilePaused(request, options: options, then: then)
  }
}
