public import MeetingModel

/// A list of ids, in the form in which a message carries the list. Most lists have at most one id,
/// and these lists need no heap memory.
public struct IDTexts: Sendable, Hashable {
  private enum Content: Sendable, Hashable {
    case none
    case one(IDText)
    /// At least two ids.
    case several([IDText])
  }

  private let content: Content

  /// Creates an empty list.
  public init() { content = .none }

  /// Creates a list of one id, or an empty list for `nil`.
  public init(_ id: ParticipantID?) { content = id.map { .one(IDText($0)) } ?? .none }

  /// Creates a list of one id.
  init(only id: IDText) { content = .one(id) }

  /// Creates a list of these ids, in this order.
  public init(_ ids: [IDText]) {
    switch ids.count {
    case 0: content = .none
    case 1: content = .one(ids[0])
    default: content = .several(ids)
    }
  }

  /// Creates a list of these participants' ids, in this order.
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
