import Bus
import Ownership
import ZeroMQ

/// Where a video-tiles instance listens and by which numbers it decides.
struct VideoTilesConfiguration: Sendable {
  /// The name of this instance, for example `video-tiles-a`.
  var instance: String

  /// Where gateways and media call it.
  var requests: Endpoint

  /// Where gateways subscribe to its events.
  var events: Endpoint

  var rules = VideoTilesRules()

  /// Events of one meeting that stay for replay, at least.
  var replayEvents = 1024

  /// How those of other hosts reach it.
  var reach = Reach()

  var place: OwnerPlace {
    OwnerPlace(
      service: "video-tiles", instance: instance, requests: requests, events: events, reach: reach)
  }
}
