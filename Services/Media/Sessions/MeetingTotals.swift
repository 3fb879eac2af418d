/// What the media of one meeting has cost so far.
struct MeetingTotals {
  /// Opus packets that were made.
  var encodes = 0

  /// Video packets that were sent, once for each receiver.
  var forwarded = 0

  /// Time that mixes took, in microseconds.
  var mixing = 0

  /// How much more it is than before.
  func since(_ former: MeetingTotals) -> MeetingTotals {
    MeetingTotals(
      encodes: encodes - former.encodes, forwarded: forwarded - former.forwarded,
      mixing: mixing - former.mixing)
  }
}
