// Interrupts the sound after a stall of the process.
extension MeetingAudio {
  /// Stops all sound, because the rights of participants are unknown after a stall.
  ///
  /// Discards sound that was received but not sent. The last sent sound does not fade. The sound of
  /// each participant whom others may hear starts again with the participant's next packet.
  func interrupt() {
    for participant in active { participant.interrupt() }
    for output in commonOutputs { output?.reset() }
    common.clear()
    past.clear()
  }
}
