/// The kinds of H.264 NAL units used here (ITU-T H.264, table 7-1; RFC 6184, table 1).
public enum H264NALUnitType {
  /// A slice of a picture that refers to other pictures.
  public static let slice: UInt8 = 1

  /// A slice of a picture that refers to no other picture, so decoding can start with this slice.
  public static let keySlice: UInt8 = 5

  /// Parameters shared by a sequence of pictures, such as the size (SPS).
  public static let sequenceParameters: UInt8 = 7

  /// Further parameters shared by pictures (PPS).
  public static let pictureParameters: UInt8 = 8

  /// Several units in one payload.
  static let aggregate: UInt8 = 24

  /// A part of a unit.
  static let fragment: UInt8 = 28

  /// Returns the kind from a unit's first byte.
  public static func kind(_ header: UInt8) -> UInt8 { header & 0x1f }
}
