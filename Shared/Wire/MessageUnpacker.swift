internal import CArena
internal import CCarillonWire
internal import MeetingModel

/// Functions that read the values in an arena after protobuf-c has unpacked them. The functions
/// check the values, and copy the values to Swift.
enum MessageUnpacker {
  static func value<M: CMessage>(_ bytes: RawSpan, _ limits: WireLimits) throws(WireError) -> M {
    guard bytes.byteCount <= limits.maximumBytes else {
      throw .tooLarge(bytes: bytes.byteCount, limit: limits.maximumBytes)
    }
    let arena = WireArena(limit: limits.maximumMemory)
    return try unsafe bytes.withUnsafeBytes {
      (bytes: UnsafeRawBufferPointer) throws(WireError) -> M in
      let bytes = unsafe bytes.assumingMemoryBound(to: UInt8.self)
      let unpacked = unsafe protobuf_c_message_unpack(
        descriptor(of: M.self), arena.allocator, bytes.count, bytes.baseAddress)
      guard let unpacked = unsafe unpacked else {
        throw arena.isExhausted
          ? .needsTooMuchMemory(limit: limits.maximumMemory) : .malformed(message: M.protoName)
      }
      return try unsafe M(
        copying: UnsafeRawPointer(unpacked).assumingMemoryBound(to: M.CStruct.self))
    }
  }

  static func text(_ text: UnsafePointer<CChar>?, _ field: String) throws(WireError) -> String {
    let count = unsafe carillon_arena_string_length(text)
    guard count >= 0 else { throw .embeddedNUL(field: field) }
    guard count > 0, let text = unsafe text else { return "" }
    guard let string = unsafe String(validatingCString: text) else {
      throw .invalidUTF8(field: field)
    }
    return string
  }

  /// Returns `nil` for an absent text. An empty text is not absent.
  static func optionalText(
    _ text: UnsafePointer<CChar>?, _ field: String
  ) throws(WireError) -> String? {
    guard let text = unsafe text else { return nil }
    return try unsafe self.text(text, field)
  }

  static func texts(
    _ count: Int, _ texts: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ field: String
  ) throws(WireError) -> [String] {
    guard let texts = unsafe texts else { return [] }
    var copies: [String] = []
    copies.reserveCapacity(count)
    for index in 0..<count { copies.append(try unsafe text(texts[index], field)) }
    return copies
  }

  /// Reads an id. This method parses a canonical id in place, without a copy of the id's text.
  static func id(_ text: UnsafePointer<CChar>?, _ field: String) throws(WireError) -> IDText {
    let count = unsafe carillon_arena_string_length(text)
    if count > 0, let start = unsafe UnsafeRawPointer(text) {
      let bytes = unsafe UnsafeBufferPointer(
        start: start.assumingMemoryBound(to: UInt8.self), count: count)
      if let id = unsafe ParticipantID(canonical: bytes.span) { return IDText(id) }
    }
    return IDText(try unsafe self.text(text, field))
  }

  static func ids(
    _ count: Int, _ texts: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ field: String
  ) throws(WireError) -> IDTexts {
    guard let texts = unsafe texts, count > 0 else { return IDTexts() }
    if count == 1 { return IDTexts(only: try unsafe id(texts[0], field)) }
    var copies: [IDText] = []
    copies.reserveCapacity(count)
    for index in 0..<count { copies.append(try unsafe id(texts[index], field)) }
    return IDTexts(copies)
  }

  static func sessionID(_ bytes: ProtobufCBinaryData) -> SessionIDBytes {
    let count = unsafe bytes.len
    if count == SessionID.byteCount, let start = unsafe bytes.data {
      let bytes = unsafe UnsafeBufferPointer(start: start, count: count)
      if let id = unsafe SessionID(bytes: bytes.span) { return SessionIDBytes(id) }
    }
    return SessionIDBytes(unsafe blob(bytes))
  }

  static func blob(_ bytes: ProtobufCBinaryData) -> [UInt8] {
    unsafe scalars(bytes.len, bytes.data)
  }

  static func blobs(_ count: Int, _ blobs: UnsafeMutablePointer<ProtobufCBinaryData>?) -> [[UInt8]]
  {
    unsafe UnsafeBufferPointer(start: blobs, count: count).map { unsafe blob($0) }
  }

  static func scalars<T: BitwiseCopyable>(_ count: Int, _ values: UnsafeMutablePointer<T>?) -> [T] {
    unsafe [T](UnsafeBufferPointer(start: values, count: values == nil ? 0 : count))
  }

  static func flags(
    _ count: Int, _ flags: UnsafeMutablePointer<protobuf_c_boolean>?
  ) -> [Bool] {
    unsafe scalars(count, flags).map { $0 != 0 }
  }

  /// Copies enum values. `C` is the imported C enum; protobuf-c makes this enum as large as an
  /// `int`.
  static func enums<E: WireEnum, C>(_ count: Int, _ values: UnsafeMutablePointer<C>?) -> [E] {
    let numbers = unsafe UnsafeMutableRawPointer(values)?.assumingMemoryBound(to: Int32.self)
    return unsafe scalars(count, numbers).map { E(rawValue: $0) }
  }

  static func message<M: CMessage>(_ c: UnsafeMutablePointer<M.CStruct>?) throws(WireError) -> M? {
    guard let c = unsafe c else { return nil }
    return try unsafe M(copying: c)
  }

  /// Copies a message that must be present. For example, if the case of a `oneof` selects a
  /// message, this message must be present.
  static func chosenMessage<M: CMessage>(
    _ c: UnsafeMutablePointer<M.CStruct>?
  ) throws(WireError) -> M {
    guard let c = unsafe c else { throw .malformed(message: M.protoName) }
    return try unsafe M(copying: c)
  }

  static func messages<M: CMessage>(
    _ count: Int, _ messages: UnsafeMutablePointer<UnsafeMutablePointer<M.CStruct>?>?
  ) throws(WireError) -> [M] {
    guard let messages = unsafe messages else { return [] }
    var copies: [M] = []
    copies.reserveCapacity(count)
    for index in 0..<count { copies.append(try unsafe chosenMessage(messages[index])) }
    return copies
  }

  /// Returns protobuf-c's descriptor of the message, which every initialised struct points to.
  private static func descriptor<M: CMessage>(
    of type: M.Type
  ) -> UnsafePointer<ProtobufCMessageDescriptor>? {
    unsafe withUnsafeTemporaryAllocation(of: M.CStruct.self, capacity: 1) { room in
      guard let c = room.baseAddress else { return nil }
      unsafe M.initialize(c)
      return unsafe UnsafeRawPointer(c).assumingMemoryBound(to: ProtobufCMessage.self).pointee
        .descriptor
    }
  }
}
