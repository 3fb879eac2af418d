extension StreamTable {
  /// Refuses a packet that was recorded before, that is older than the window, or whose SSRC has
  /// no place.
  ///
  /// Records nothing.
  func judge(_ parts: PacketParts) -> Result<PacketParts, SRTPRefusal> {
    switch verdict(on: parts.index, of: parts.ssrc) {
    case .new: admits(parts.ssrc) ? .success(parts) : .failure(.tooManyStreams)
    case .seen: .failure(.repeated)
    case .tooOld: .failure(.tooOld)
    }
  }
}
