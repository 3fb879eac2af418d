/// An enum of the contract. The enum also represents numbers for which this version has no case.
///
/// The code generator writes the conforming types. ``init(rawValue:)`` returns `unrecognized` only
/// for a number without a case. Packing the value again keeps its number.
public protocol WireEnum: RawRepresentable, CaseIterable, Sendable, Hashable
where RawValue == Int32 {
  /// Creates the first case. In proto3, this case has number 0 and is the value of an absent field.
  init()

  /// Creates the case with this number.
  init(rawValue: Int32)
}
