public import MeetingModel

/// The id of a session, in the form in which a message carries the id: 16 bytes, which need no heap
/// memory.
///
/// This type stores any other number of bytes unchanged, and the receiver of the message rejects
/// the value.
public struct SessionIDBytes: Sendable, Hashable {
  private enum Content: Sendable, Hashable {
    case id(SessionID)
    case other([UInt8])
  }

  private let content: Content

  /// Stores the id of a session.
  public init(_ id: SessionID) { content = .id(id) }

  /// Stores any bytes.
  public init(_ bytes: [UInt8]) {
    content = SessionID(bytes: bytes).map { .id($0) } ?? .other(bytes)
  }

  /// Stores no id; ``isEmpty`` is true.
  public init() { content = .other([]) }

  /// The bytes that a message carries.
  public var bytes: [UInt8] {
    switch content {
    case .id(let id): id.bytes
    case .other(let bytes): bytes
    }
  }

  /// Whether there are no bytes.
  public var isEmpty: Bool { content == .other([]) }

  /// The id, or `nil` unless there are 16 bytes.
  public var id: SessionID? {
    if case .id(let id) = content { id } else { nil }
  }
}

extension SessionID {
  /// Decodes a session id that a message carries.
  ///
  /// - Throws: ``MeetingModel/InvalidModelValue/invalidValue(what:rule:)`` unless there are 16
  ///   bytes.
  public init(wire bytes: SessionIDBytes) throws(InvalidModelValue) {
    guard let id = bytes.id else { throw Self.malformed }
    self = id
  }
}
