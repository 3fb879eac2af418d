import MeetingModel

/// The requests by which `media` asks gateways to admit all their sessions at this instance again.
/// Each request has a number. The gateway returns the number after the gateway has admitted the
/// sessions.
///
/// A message with a request may get lost. So `media` repeats the request until the gateway returns
/// the request's number.
struct ReannouncementRequests {
  private struct Wanted {
    let run: UInt64
    var number: UInt64 = 1
    var isAnswered = false
  }

  private var wanted: [GatewayName: Wanted] = [:]

  /// Asks a gateway to admit all its sessions at this instance again, because `media` does not know
  /// the sessions or has lost them.
  ///
  /// - Parameter run: A value that differs after each start of the gateway. The number of the first
  ///   request in a run is 1. A gateway need not act on this first request, because each gateway
  ///   admits its sessions at each new owner anyway.
  mutating func want(from gateway: GatewayName, run: UInt64) {
    guard var known = wanted[gateway], known.run == run else {
      wanted[gateway] = Wanted(run: run)
      return
    }
    known.number += 1
    known.isAnswered = false
    wanted[gateway] = known
  }

  /// Returns the number of the present request, for the answer to a gateway; 0 if `media` requests
  /// nothing.
  ///
  /// - Parameter echo: The number of the request that the gateway has completed; 0 for none.
  mutating func number(for gateway: GatewayName, echoing echo: UInt64) -> UInt64 {
    guard let known = wanted[gateway], !known.isAnswered else { return 0 }
    guard known.number != echo else {
      wanted[gateway]?.isAnswered = true
      return 0
    }
    return known.number
  }
}
