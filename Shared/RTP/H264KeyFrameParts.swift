/// The parts of an H.264 key frame that a decoder needs before the decoder can begin.
public struct H264KeyFrameParts: OptionSet, Hashable, Sendable {
  /// One bit for each part.
  public let rawValue: UInt8

  /// Creates a set from bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The parameters shared by a sequence of pictures (SPS).
  public static let sequenceParameters = H264KeyFrameParts(rawValue: 1)

  /// Further parameters shared by pictures (PPS).
  public static let pictureParameters = H264KeyFrameParts(rawValue: 2)

  /// The first slice of a picture that refers to no other picture.
  public static let keySlice = H264KeyFrameParts(rawValue: 4)

  /// The parameter sets that a decoder needs for a key frame.
  public static let parameterSets: H264KeyFrameParts = [.sequenceParameters, .pictureParameters]
}
