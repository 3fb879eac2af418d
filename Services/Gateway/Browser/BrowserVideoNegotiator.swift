import Logging
import MeetingModel
import ServiceHost
import Wire

/// The calls about a browser's pictures: negotiations with `media`, and subscriptions at
/// `video-tiles`.
///
/// All methods run on the gateway's socket thread.
final class BrowserVideoNegotiator {
  private let calls: SessionCalls
  private let context: GatewayContext

  init(_ calls: SessionCalls, in context: GatewayContext) {
    (self.calls, self.context) = (calls, context)
  }

  /// Requests the answer of `media` to a SUBSCRIBE, and publishes the browser's pictures.
  ///
  /// The caller must call ``subscribe(_:_:)`` next. A refusal of the browser's camera affects
  /// neither the browser's audio nor the pictures that the browser receives.
  ///
  /// - Throws: The errors of ``MediaServiceConnector/negotiate(_:of:)``.
  func negotiate(
    _ subscription: BrowserSubscription, _ pictures: BrowserVideoState,
    _ session: GatewayClientSession
  ) async throws(Status) -> SubscribeAnswer {
    pictures.reception = BrowserVideoSubscription(
      subscription, after: pictures.isNative ? .init() : pictures.reception,
      find: pictures.stream)
    var publication = pictures.publication ?? BrowserPublication(session.ownKind)
    publication.chooseSSRCs(session.choices.published)
    func ask() async throws(Status) -> V1.NegotiateReply {
      let request = V1.NegotiateRequest(
        offer: subscription.offer, tracks: pictures.reception.tracks, layerSSRCs: publication.ssrcs)
      let (reply, place) = try await calls.negotiate(request, of: session)
      pictures.place = place
      return reply
    }
    var reply = try await ask()
    let shown = await publish(reply.video, subscription, &publication, session)
    pictures.publication = publication
    if shown.isAskedAgain { reply = try await ask() }
    pictures.reception.take(reply.tracks)
    pictures.decodableCodecs = reply.canDecode
    return SubscribeAnswer(
      sdp: reply.answer, tracks: pictures.reception.mappings, published: shown.video,
      encodings: subscription.encodings.count, isNative: pictures.isNative,
      refusal: shown.refusal)
  }

  // MARK: Sending

  /// The outcome of publishing a browser's own pictures.
  private struct PublishOutcome {
    /// The published video; `nil` for none.
    var video: V1.PublishedVideo?

    /// The error that prevents the gateway from publishing the pictures; `nil` for none.
    var refusal: Status?

    /// Whether `media` uses other SSRCs than `video-tiles`, so that the gateway must negotiate with
    /// `media` again.
    var isAskedAgain = false
  }

  private func publish(
    _ offered: V1.NegotiatedVideo?, _ subscription: BrowserSubscription,
    _ publication: inout BrowserPublication, _ session: GatewayClientSession
  ) async -> PublishOutcome {
    guard let offered, subscription.sendsVideo else {
      await unpublish(&publication, session)
      return PublishOutcome()
    }
    do throws(Status) {
      return try await show(offered, subscription, &publication, session)
    } catch {
      note("Could not publish the video of a browser", error, session)
      return PublishOutcome(refusal: error)
    }
  }

  private func show(
    _ offered: V1.NegotiatedVideo, _ subscription: BrowserSubscription,
    _ publication: inout BrowserPublication, _ session: GatewayClientSession
  ) async throws(Status) -> PublishOutcome {
    let published = session.choices.published
    let known = published.first { $0.kind == publication.kind }
    guard
      let wanted = publication.change(to: offered, subscription.encodings, from: published)
    else { return PublishOutcome(video: known) }
    let reply = try await calls.publish(V1.PublishVideoRequest(video: wanted), by: session)
    guard let video = reply.video else { throw .emptyAnswer }
    publication.accept(wanted, as: video)
    return PublishOutcome(video: video, isAskedAgain: publication.adopt(video, for: offered))
  }

  private func unpublish(_ publication: inout BrowserPublication, _ session: GatewayClientSession)
    async
  {
    let kind = publication.kind
    guard session.choices.published.contains(where: { $0.kind == kind }) else { return }
    publication.end()
    do throws(Status) {
      _ = try await calls.unpublish(V1.UnpublishVideoRequest(kind: kind), by: session)
    } catch {
      note("Could not end the video of a browser", error, session)
    }
  }

  // MARK: Receiving

  /// Subscribes at `video-tiles` to exactly the received pictures.
  ///
  /// Only one call runs at a time. A running call also sends the changes that arrive during this
  /// call.
  func subscribe(_ pictures: BrowserVideoState, _ session: GatewayClientSession) async {
    pictures.isBehind = true
    guard !pictures.isSubscribing else { return }
    pictures.isSubscribing = true
    defer { pictures.isSubscribing = false }
    while pictures.isBehind {
      pictures.isBehind = false
      do throws(Status) { try await catchUp(pictures, session) } catch {
        note("Could not change which video a browser receives", error, session)
        pictures.isBehind = error.isTransient
        return
      }
    }
  }

  /// Sends the changes to `video-tiles`, in order.
  ///
  /// This method resumes tiles before it changes subscriptions. Otherwise, `video-tiles` would keep
  /// the pause of a tile after the end of the tile's subscription.
  private func catchUp(_ pictures: BrowserVideoState, _ session: GatewayClientSession)
    async throws(Status)
  {
    let resumed = Set(session.choices.pausedTileIDs).subtracting(pictures.paused)
    for tile in resumed.sorted() { try await setPaused(false, tile, session) }
    try await change(to: pictures.reception, pictures.decodableCodecs, session)
    let paused = pictures.paused.subtracting(session.choices.pausedTileIDs)
    for tile in paused.sorted() { try await setPaused(true, tile, session) }
  }

  /// Sends the current subscriptions.
  ///
  /// The first `updateSubscriptions` of a session ends the automatic subscriptions. So this method
  /// calls `updateSubscriptions` before it starts the received video with `setRemoteVideo`.
  private func change(
    to reception: BrowserVideoSubscription, _ codecs: [V1.VideoCodec],
    _ session: GatewayClientSession
  ) async throws(Status) {
    if let change = reception.change(from: session.choices.subscriptions) {
      _ = try await calls.updateSubscriptions(change, of: session)
    }
    let decodesOthers =
      reception.isReceiving && !codecs.isEmpty && session.choices.canDecode != codecs
    guard decodesOthers || session.choices.isReceiving != reception.isReceiving else { return }
    let request = V1.SetRemoteVideoRequest(isReceiving: reception.isReceiving, canDecode: codecs)
    _ = try await calls.setRemoteVideo(request, of: session)
  }

  /// Pauses or resumes a tile. Ignores the error for a tile that no longer exists.
  private func setPaused(
    _ isPaused: Bool, _ tileID: UInt32, _ session: GatewayClientSession
  ) async throws(Status) {
    do throws(Status) {
      let request = V1.SetTilePausedRequest(tileID: tileID, isPaused: isPaused)
      _ = try await calls.setPaused(request, of: session)
    } catch {
      guard !error.isTransient else { throw error }
      session.choices.pausedTileIDs.removeAll { $0 == tileID }
    }
  }

  private func note(_ what: Logger.Message, _ status: Status, _ session: GatewayClientSession) {
    context.logger.step(
      what, at: .info, of: session.label,
      [LogMetadataKey.status: "\(status.code)", LogMetadataKey.reason: "\(status.reason)"])
  }
}

extension GatewayClientSession {
  /// The kind of video that the client of this session may publish.
  fileprivate var ownKind: V1.VideoSourceKind { participant.isContent ? .content : .camera }
}
