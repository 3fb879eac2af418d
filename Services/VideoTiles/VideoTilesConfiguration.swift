import Bus
import Ownership
import ZeroMQ

/// The endpoints and rules of a video-tiles instance.
struct VideoTilesConfiguration: Sendable {
  /// The name of this instance, for example `video-tiles-a`.
  var instance: String

  /// The endpoint for requests of gateways and media.
  var requests: Endpoint

  /// The endpoint where gateways subscribe to its events.
  var events: Endpoint

  var rules = VideoTilesRules()

  /// The least number of events per meeting kept for replay.
  var replayEvents = 1024

  /// The addresses for peers on other hosts.
  var reach = Reach()

  var place: OwnerPlace {
    OwnerPlace(
      service: "video-tiles", instance: instance, requests: requests, events: events, reach: reach)
  }
}
