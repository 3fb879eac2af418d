internal import CarillonClientCore
internal import RTP

/// The message with which an H.264 stream states the rotation of its pictures: the supplemental
/// enhancement information "display orientation" (ITU-T H.264, sections D.1.27 and D.2.27).
///
/// Players that obey the message show the pictures upright.
enum H264OrientationMessage {
  /// The kind of the NAL unit, and the type of the message.
  private static let (unitKind, messageType): (UInt8, UInt8) = (6, 47)

  /// Returns the message as a NAL unit with a start code.
  ///
  /// - Parameter rotation: The clockwise rotation to apply before the display of one frame.
  static func unit(_ rotation: VideoRotation) -> [UInt8] {
    let payload = payload(rotation)
    // The last byte is the stop bit of the unit. No payload contains the bytes of a start code, so
    // the unit needs no emulation prevention.
    return [0, 0, 0, 1, unitKind, messageType, UInt8(payload.count)] + payload + [0x80]
  }

  private static func payload(_ rotation: VideoRotation) -> [UInt8] {
    // Three bits: the message cancels no orientation, and flips the picture neither horizontally
    // nor vertically. Sixteen bits: the anticlockwise rotation in units of 2^-16 turns. One bit:
    // the message applies to this frame only. One bit: no extension. One stop bit, and two bits of
    // padding.
    let turns = UInt32((360 - rotation.rawValue) % 360) * 65_536 / 360
    let bits = turns << 5 | 0b10100
    return [UInt8(bits >> 16), UInt8(bits >> 8 & 0xFF), UInt8(bits & 0xFF)]
  }

  /// Adds the message to a frame, before the first unit that contains a part of the picture.
  static func insert(_ rotation: VideoRotation, into frame: inout [UInt8]) {
    var place = 0
    var reader = H264ByteStreamReader()
    while let unit = reader.next(in: frame.span) {
      let kind = H264NALUnitType.kind(frame[unit.lowerBound])
      if (H264NALUnitType.slice...H264NALUnitType.keySlice).contains(kind) { break }
      place = unit.upperBound
    }
    frame.insert(contentsOf: Self.unit(rotation), at: place)
  }
}
