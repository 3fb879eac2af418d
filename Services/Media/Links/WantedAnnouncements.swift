import MeetingModel

/// The gateways that must admit all their sessions again, each by a number that it echoes.
///
/// A gateway that is told so only once may not hear it: answers are lost.
struct WantedAnnouncements {
  private struct Wanted {
    let run: UInt64
    var number: UInt64 = 1
    var isAnswered = false
  }

  private var wanted: [GatewayName: Wanted] = [:]

  /// A gateway spoke whose sessions are not known, or not any more.
  ///
  /// - Parameter run: Differs after each start of the gateway. The first number of a run is 1: a
  ///   gateway that has found a new owner admits its sessions without being asked.
  mutating func want(from gateway: GatewayName, run: UInt64) {
    guard var known = wanted[gateway], known.run == run else {
      wanted[gateway] = Wanted(run: run)
      return
    }
    known.number += 1
    known.isAnswered = false
    wanted[gateway] = known
  }

  /// What a gateway that spoke is answered; 0: all is well.
  ///
  /// - Parameter echo: The number that it has acted upon; 0: none.
  mutating func number(for gateway: GatewayName, echoing echo: UInt64) -> UInt64 {
    guard let known = wanted[gateway], !known.isAnswered else { return 0 }
    guard known.number != echo else {
      wanted[gateway]?.isAnswered = true
      return 0
    }
    return known.number
  }
}
