/// Replaces an SSRC in an RTCP compound, as a translator does (RFC 3550, section 7.2).
///
/// The map replaces the SSRC wherever this SSRC identifies the sender of an RTCP packet, the stream
/// of a report block, the media source of a feedback packet, an ended source, or a source of a
/// receiver's estimate (REMB). The map does not change the lists in other application-layer
/// messages. Malformed bytes end the iteration.
public enum RTCPSourceMap {
  /// Replaces `old` with `new` in place.
  ///
  /// - Parameter count: The length of the RTCP compound, which starts at the first byte of
  ///   `compound`.
  public static func rename(
    _ old: UInt32, to new: UInt32, in compound: inout MutableSpan<UInt8>, count: Int
  ) {
    var start = 0
    while start + 8 <= count {
      let length = 4 * (1 + (Int(compound[start + 2]) << 8 | Int(compound[start + 3])))
      guard start + length <= count else { return }
      renamePacket(at: start, length, old, new, in: &compound)
      start += length
    }
  }

  private static func renamePacket(
    at start: Int, _ length: Int, _ old: UInt32, _ new: UInt32,
    in compound: inout MutableSpan<UInt8>
  ) {
    let (type, count) = (compound[start + 1], Int(compound[start] & 0x1F))
    switch type {
    case RTCPType.senderReport, RTCPType.receiverReport:
      rename(at: start + 4, old, new, in: &compound)
      let blocks = start + (type == RTCPType.senderReport ? 28 : 8)
      for place in 0..<count where blocks + 24 * (place + 1) <= start + length {
        rename(at: blocks + 24 * place, old, new, in: &compound)
      }
    case RTCPType.bye:
      for place in 0..<count where 4 * (place + 2) <= length {
        rename(at: start + 4 * (place + 1), old, new, in: &compound)
      }
    case RTCPType.transportFeedback, RTCPType.payloadFeedback:
      rename(at: start + 4, old, new, in: &compound)
      if length >= 12 { rename(at: start + 8, old, new, in: &compound) }
      if type == RTCPType.payloadFeedback, count == RTCPType.applicationLayer {
        renameEstimate(at: start, length, old, new, in: &compound)
      }
    default:
      rename(at: start + 4, old, new, in: &compound)
    }
  }

  /// Renames the sources of an estimate. Does not change other application-layer feedback.
  private static func renameEstimate(
    at start: Int, _ length: Int, _ old: UInt32, _ new: UInt32,
    in compound: inout MutableSpan<UInt8>
  ) {
    guard length >= 20, holds(RTCPType.estimateIdentifier, at: start + 12, in: compound) else {
      return
    }
    let sources = start + 20
    for place in 0..<Int(compound[start + 16]) where sources + 4 * (place + 1) <= start + length {
      rename(at: sources + 4 * place, old, new, in: &compound)
    }
  }

  private static func holds(
    _ value: UInt32, at place: Int, in compound: borrowing MutableSpan<UInt8>
  ) -> Bool {
    for index in 0..<4 where compound[place + index] != byte(index, of: value) { return false }
    return true
  }

  private static func rename(
    at place: Int, _ old: UInt32, _ new: UInt32, in compound: inout MutableSpan<UInt8>
  ) {
    guard holds(old, at: place, in: compound) else { return }
    for index in 0..<4 { compound[place + index] = byte(index, of: new) }
  }

  private static func byte(_ index: Int, of ssrc: UInt32) -> UInt8 {
    UInt8(truncatingIfNeeded: ssrc >> (24 - 8 * UInt32(index)))
  }
}
