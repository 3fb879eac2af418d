public import MeetingModel

/// A session's id as it travels: sixteen bytes, which cost no memory beside their message.
///
/// Any other number of bytes is kept as it came: whoever reads it refuses it.
public struct SessionIDBytes: Sendable, Hashable {
  private enum Content: Sendable, Hashable {
    case id(SessionID)
    case other([UInt8])
  }

  private let content: Content

  /// A session's id.
  public init(_ id: SessionID) { content = .id(id) }

  /// Any bytes.
  public init(_ bytes: [UInt8]) {
    content = SessionID(bytes: bytes).map { .id($0) } ?? .other(bytes)
  }

  /// No session.
  public init() { content = .other([]) }

  /// The id as it travels.
  public var bytes: [UInt8] {
    switch content {
    case .id(let id): id.bytes
    case .other(let bytes): bytes
    }
  }

  /// Whether there is nothing.
  public var isEmpty: Bool { content == .other([]) }

  /// The id, if there are sixteen bytes.
  public var id: SessionID? {
    if case .id(let id) = content { id } else { nil }
  }
}

extension SessionID {
  /// Reads a session id as it arrived.
  ///
  /// - Throws: ``MeetingModel/ModelError/invalidValue(what:rule:)`` unless there are sixteen bytes.
  public init(wire bytes: SessionIDBytes) throws(ModelError) {
    guard let id = bytes.id else { throw Self.malformed }
    self = id
  }
}
