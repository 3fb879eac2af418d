internal import CArena
internal import CCarillonWire
internal import MeetingModel

/// Functions that copy Swift values into an arena, in the layout of protobuf-c.
extension WireArena {
  func prepare<M: CMessage>(_ message: M) -> ArenaMessage {
    unsafe ArenaMessage(
      UnsafeRawPointer(lay(message)).assumingMemoryBound(to: ProtobufCMessage.self))
  }

  /// Prepares a `SessionEvents` with at most one event and one position, without Swift arrays.
  func prepare(_ event: V1.SessionEvent?, at position: V1.StreamPosition?) -> ArenaMessage {
    let events = unsafe allocate(V1.SessionEvents.CStruct.self)
    unsafe V1.SessionEvents.initialize(events)
    if let event {
      unsafe events.pointee.n_events = 1
      unsafe events.pointee.events = list(of: event)
    }
    if let position {
      unsafe events.pointee.n_positions = 1
      unsafe events.pointee.positions = list(of: position)
    }
    return unsafe ArenaMessage(
      UnsafeRawPointer(events).assumingMemoryBound(to: ProtobufCMessage.self))
  }

  /// Returns a repeated field that has one message.
  private func list<M: CMessage>(
    of message: M
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<M.CStruct>?> {
    let pointers = unsafe allocate(UnsafeMutablePointer<M.CStruct>?.self)
    unsafe pointers.initialize(to: lay(message))
    return unsafe pointers
  }

  func message<M: CMessage>(_ message: M?) -> UnsafeMutablePointer<M.CStruct>? {
    guard let message else { return nil }
    return unsafe lay(message)
  }

  func messages<M: CMessage>(
    _ messages: [M]
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<M.CStruct>?>? {
    guard !messages.isEmpty else { return nil }
    let pointers = unsafe allocate(UnsafeMutablePointer<M.CStruct>?.self, count: messages.count)
    for (index, message) in messages.enumerated() {
      unsafe (pointers + index).initialize(to: lay(message))
    }
    return unsafe pointers
  }

  /// Copies text as UTF-8 that ends in a NUL. Drops NULs within the text.
  func text(_ text: String) -> UnsafeMutablePointer<CChar> {
    var text = text
    return text.withUTF8 { (utf8: UnsafeBufferPointer<UInt8>) in
      let copy = unsafe allocate(CChar.self, count: utf8.count + 1)
      unsafe carillon_copy_text(copy, utf8.baseAddress, utf8.count)
      return unsafe copy
    }
  }

  func texts(_ texts: [String]) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    guard !texts.isEmpty else { return nil }
    let pointers = unsafe allocate(UnsafeMutablePointer<CChar>?.self, count: texts.count)
    for (index, text) in texts.enumerated() {
      unsafe (pointers + index).initialize(to: self.text(text))
    }
    return unsafe pointers
  }

  /// Copies an id as text. This method writes a canonical id directly into the arena.
  func id(_ id: IDText) -> UnsafeMutablePointer<CChar> {
    guard let id = id.canonical else { return unsafe text(id.text) }
    let copy = unsafe allocate(UInt8.self, count: id.textCount + 1)
    unsafe fill(copy, id.textCount) { output in id.write(to: &output) }
    unsafe copy[id.textCount] = 0
    return unsafe UnsafeMutableRawPointer(copy).assumingMemoryBound(to: CChar.self)
  }

  func ids(_ ids: IDTexts) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    guard !ids.isEmpty else { return nil }
    let pointers = unsafe allocate(UnsafeMutablePointer<CChar>?.self, count: ids.count)
    for (index, id) in ids.enumerated() {
      unsafe (pointers + index).initialize(to: self.id(id))
    }
    return unsafe pointers
  }

  func sessionID(_ session: SessionIDBytes) -> ProtobufCBinaryData {
    guard let id = session.id else { return unsafe blob(session.bytes) }
    let copy = unsafe allocate(UInt8.self, count: SessionID.byteCount)
    unsafe fill(copy, SessionID.byteCount) { output in id.write(to: &output) }
    return unsafe ProtobufCBinaryData(len: SessionID.byteCount, data: copy)
  }

  /// Calls `write`, which must write exactly `count` bytes to `room`.
  private func fill(
    _ room: UnsafeMutablePointer<UInt8>, _ count: Int, by write: (inout OutputSpan<UInt8>) -> Void
  ) {
    let buffer = unsafe UnsafeMutableBufferPointer(start: room, count: count)
    var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
    write(&output)
    let written = unsafe output.finalize(for: buffer)
    precondition(written == count, "An id was cut short.")
  }

  func blob(_ bytes: [UInt8]) -> ProtobufCBinaryData {
    unsafe ProtobufCBinaryData(len: bytes.count, data: scalars(bytes))
  }

  func blobs(_ blobs: [[UInt8]]) -> UnsafeMutablePointer<ProtobufCBinaryData>? {
    guard !blobs.isEmpty else { return nil }
    let copies = unsafe allocate(ProtobufCBinaryData.self, count: blobs.count)
    for (index, blob) in blobs.enumerated() {
      unsafe (copies + index).initialize(to: self.blob(blob))
    }
    return unsafe copies
  }

  func scalars<T: BitwiseCopyable>(_ values: [T]) -> UnsafeMutablePointer<T>? {
    guard !values.isEmpty else { return nil }
    let copies = unsafe allocate(T.self, count: values.count)
    unsafe values.withUnsafeBufferPointer { values in
      guard let start = values.baseAddress else { return }
      unsafe copies.initialize(from: start, count: values.count)
    }
    return unsafe copies
  }

  func flags(_ flags: [Bool]) -> UnsafeMutablePointer<protobuf_c_boolean>? {
    unsafe scalars(flags.map { $0 ? 1 : 0 })
  }

  /// Copies enum values. `C` is the imported C enum; protobuf-c makes this enum as large as an
  /// `int`.
  func enums<E: WireEnum, C>(_ values: [E], as type: C.Type = C.self) -> UnsafeMutablePointer<C>? {
    let numbers = unsafe scalars(values.map(\.rawValue))
    return unsafe UnsafeMutableRawPointer(numbers)?.assumingMemoryBound(to: type)
  }

  private func lay<M: CMessage>(_ message: M) -> UnsafeMutablePointer<M.CStruct> {
    let copy = unsafe allocate(M.CStruct.self)
    unsafe M.initialize(copy)
    unsafe message.fill(copy, in: self)
    return unsafe copy
  }
}
