// Interrupts the sound after a stall of the process.
extension MeetingAudio {
  /// Stops all sound, because the rights of participants are unknown after a stall.
  ///
  /// Discards sound that `media` received and has not sent. The sound stops at once, and does not
  /// fade out. If others may hear a participant, the participant's sound starts again with the
  /// participant's next packet.
  func interrupt() {
    for participant in active { participant.interrupt() }
    for share in heardShares { share.sharer?.output?.reset() }
    for output in commonOutputs { output?.reset() }
    common.clear()
    past.clear()
  }
}
