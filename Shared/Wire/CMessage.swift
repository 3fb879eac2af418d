internal import CCarillonWire

/// A message with conversions to and from its protobuf-c struct. The plugin generates the
/// conformances.
protocol CMessage: WireMessage {
  associatedtype CStruct

  /// Initialises `c` with protobuf-c's own initialiser: every field has its default.
  static func initialize(_ c: UnsafeMutablePointer<CStruct>)

  /// Copies and validates a struct that protobuf-c unpacked.
  init(copying c: UnsafePointer<CStruct>) throws(WireError)

  /// Copies this value into the initialised struct `c`. Afterwards, `arena` owns the memory to
  /// which `c` points.
  func fill(_ c: UnsafeMutablePointer<CStruct>, in arena: borrowing WireArena)
}
