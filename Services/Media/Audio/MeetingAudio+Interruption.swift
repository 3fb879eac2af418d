// What becomes of the sound when the process stood still.
extension MeetingAudio {
  /// Breaks off what is heard: it is not known any more who may be.
  ///
  /// What was said and not sent yet is thrown away, and what was sent last neither fades nor rings
  /// on. Whoever speaks and may be heard is heard again from the next packets on.
  func interrupt() {
    for participant in active { participant.interrupt() }
    for output in commonOutputs { output?.reset() }
    common.clear()
    past.clear()
  }
}
