// Interrupts the sound after the process stalled.
extension MeetingAudio {
  /// Stops all sound, because the rights of participants are unknown after a stall.
  ///
  /// Sound that was received but not sent is discarded. The sound that was sent last does not fade.
  /// Participants that speak and may be heard are heard again from their next packets on.
  func interrupt() {
    for participant in active { participant.interrupt() }
    for output in commonOutputs { output?.reset() }
    common.clear()
    past.clear()
  }
}
