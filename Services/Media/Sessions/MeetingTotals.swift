/// The work that the media of one meeting has caused so far.
struct MeetingTotals {
  /// Opus packets that were encoded.
  var encodes = 0

  /// Video packets that were sent, counted once for each receiver.
  var forwarded = 0

  /// The time spent on mixing, in microseconds.
  var mixing = 0

  /// Returns the difference from an earlier sample.
  func since(_ former: MeetingTotals) -> MeetingTotals {
    MeetingTotals(
      encodes: encodes - former.encodes, forwarded: forwarded - former.forwarded,
      mixing: mixing - former.mixing)
  }
}
