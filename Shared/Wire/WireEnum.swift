/// An enum of the contract. It also represents numbers that this version has no case for.
///
/// Conforming types are generated. ``init(rawValue:)`` returns `unrecognized` only for a number
/// without a case. The value keeps its number when it is packed again.
public protocol WireEnum: RawRepresentable, CaseIterable, Sendable, Hashable
where RawValue == Int32 {
  /// Creates the first case. In proto3 it has number 0 and is the value of an absent field.
  init()

  /// Creates the case with this number.
  init(rawValue: Int32)
}
