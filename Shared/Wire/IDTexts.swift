public import MeetingModel

/// Some ids as they travel: mostly none or one, and those cost no memory beside their message.
public struct IDTexts: Sendable, Hashable {
  private enum Content: Sendable, Hashable {
    case none
    case one(IDText)
    /// At least two.
    case several([IDText])
  }

  private let content: Content

  /// No ids.
  public init() { content = .none }

  /// One id, or none.
  public init(_ id: ParticipantID?) { content = id.map { .one(IDText($0)) } ?? .none }

  /// One id.
  init(only id: IDText) { content = .one(id) }

  /// These ids, in this order.
  public init(_ ids: [IDText]) {
    switch ids.count {
    case 0: content = .none
    case 1: content = .one(ids[0])
    default: content = .several(ids)
    }
  }

  /// The ids of these participants, in this order.
  public init(_ ids: some Collection<ParticipantID>) {
    if ids.count > 1 { self.init(ids.map { IDText($0) }) } else { self.init(ids.first) }
  }
}

extension IDTexts: ExpressibleByArrayLiteral {
  public init(arrayLiteral ids: ParticipantID...) { self.init(ids) }
}

extension IDTexts: RandomAccessCollection {
  public var startIndex: Int { 0 }

  public var endIndex: Int {
    switch content {
    case .none: 0
    case .one: 1
    case .several(let ids): ids.count
    }
  }

  public subscript(index: Int) -> IDText {
    switch content {
    case .one(let id) where index == 0: id
    case .several(let ids): ids[index]
    case .none, .one: preconditionFailure("There is no id at \(index).")
    }
  }
}
