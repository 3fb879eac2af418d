/// An enum of the contract: the cases this version knows, and any other number as it came.
///
/// Conforming types are generated. A value made with ``init(rawValue:)`` is `unrecognized` only for
/// numbers without a case, and keeps its number when it is packed again.
public protocol WireEnum: RawRepresentable, CaseIterable, Sendable, Hashable
where RawValue == Int32 {
  /// The first case. In proto3 it has number 0, and is what an absent field means.
  init()

  /// The case with this number.
  init(rawValue: Int32)
}
