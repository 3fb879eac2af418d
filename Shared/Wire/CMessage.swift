internal import CCarillonWire

/// How a message moves to and from its protobuf-c struct. The conformances are generated.
protocol CMessage: WireMessage {
  associatedtype CStruct

  /// Makes `c` a message of defaults, with protobuf-c's own initialiser.
  static func initialize(_ c: UnsafeMutablePointer<CStruct>)

  /// Copies and validates what protobuf-c unpacked.
  init(copying c: UnsafePointer<CStruct>) throws(WireError)

  /// Puts this value into `c`, which is initialised; what it points to goes into `arena`.
  func fill(_ c: UnsafeMutablePointer<CStruct>, in arena: borrowing WireArena)
}
