extension StreamTable {
  /// Refuses a packet that was recorded before, that is too old to tell, or whose SSRC finds no
  /// place. Records nothing.
  func judge(_ parts: PacketParts) -> Result<PacketParts, SRTPRefusal> {
    switch verdict(on: parts.index, of: parts.ssrc) {
    case .new: admits(parts.ssrc) ? .success(parts) : .failure(.tooManyStreams)
    case .seen: .failure(.repeated)
    case .tooOld: .failure(.tooOld)
    }
  }
}
