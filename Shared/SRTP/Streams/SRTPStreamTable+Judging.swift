extension SRTPStreamTable {
  /// Refuses a recorded packet, a packet older than the window, and a packet whose SSRC the table
  /// does not admit.
  ///
  /// Records nothing.
  func judge(_ parts: SRTPPacketParts) -> Result<SRTPPacketParts, SRTPRefusal> {
    switch verdict(on: parts.index, of: parts.ssrc) {
    case .new: admits(parts.ssrc) ? .success(parts) : .failure(.tooManyStreams)
    case .seen: .failure(.repeated)
    case .tooOld: .failure(.tooOld)
    }
  }
}
