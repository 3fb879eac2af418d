/// The parts of an H.264 key frame that a decoder needs before it can begin.
public struct H264KeyFrameParts: OptionSet, Hashable, Sendable {
  /// A bit for each part.
  public let rawValue: UInt8

  /// Makes a set of the parts whose bits are set.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// What a sequence of pictures has in common (SPS).
  public static let sequenceParameters = H264KeyFrameParts(rawValue: 1)

  /// What pictures have in common beside that (PPS).
  public static let pictureParameters = H264KeyFrameParts(rawValue: 2)

  /// The beginning of a picture that refers to no other.
  public static let keySlice = H264KeyFrameParts(rawValue: 4)

  /// The sets without which the picture cannot be decoded.
  public static let parameterSets: H264KeyFrameParts = [.sequenceParameters, .pictureParameters]
}
