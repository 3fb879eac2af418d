internal import CCarillonWire

/// A message that can be converted to and from its protobuf-c struct. Conformances are generated.
protocol CMessage: WireMessage {
  associatedtype CStruct

  /// Initialises `c` with protobuf-c's own initialiser: every field has its default.
  static func initialize(_ c: UnsafeMutablePointer<CStruct>)

  /// Copies and validates a struct that protobuf-c unpacked.
  init(copying c: UnsafePointer<CStruct>) throws(WireError)

  /// Copies this value into `c`, which must be initialised. Afterwards, `arena` owns the memory to
  /// which `c` points.
  func fill(_ c: UnsafeMutablePointer<CStruct>, in arena: borrowing WireArena)
}
