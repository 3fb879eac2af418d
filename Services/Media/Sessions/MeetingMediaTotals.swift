/// The work that `media` has done for one meeting so far.
struct MeetingMediaTotals {
  /// Encoded Opus packets.
  var encodes = 0

  /// Sent video packets, counted once for each receiver.
  var forwarded = 0

  /// The time spent on mixing, in microseconds.
  var mixing = 0

  /// Returns the difference from earlier totals.
  func since(_ former: MeetingMediaTotals) -> MeetingMediaTotals {
    MeetingMediaTotals(
      encodes: encodes - former.encodes, forwarded: forwarded - former.forwarded,
      mixing: mixing - former.mixing)
  }
}
