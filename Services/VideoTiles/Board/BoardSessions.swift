import MeetingModel

/// The sessions of one board, in the order of their arrival, by id and by participant.
///
/// A participant has at most one session. The caller removes this session before it adds another
/// session of the participant.
struct BoardSessions: Sendable {
  private(set) var all: [TileBoardSession] = []

  /// The arrival number of each session in ``all``. The numbers rise, and a removal changes no
  /// number.
  private var arrivals: [UInt64] = []
  private var numbers: [SessionID: UInt64] = [:]
  private var holders: [ParticipantID: SessionID] = [:]
  private var lastNumber: UInt64 = 0

  /// The sessions with a pending timer. This set is small even if thousands of sessions arrive at
  /// the same time.
  private var waiting: Set<SessionID> = []

  /// The codecs that all receivers decode.
  private var common = CommonCodecs()

  var isEmpty: Bool { all.isEmpty }
  var count: Int { all.count }
  var indices: Range<Int> { all.indices }

  subscript(index: Int) -> TileBoardSession {
    _read { yield all[index] }
    _modify {
      let before = all[index].decodedCodecs
      defer { note(at: index, before) }
      yield &all[index]
    }
  }

  subscript(id: SessionID) -> TileBoardSession? { index(of: id).map { all[$0] } }

  func index(of id: SessionID) -> Int? { numbers[id].flatMap { place(of: $0) } }

  /// Returns the session in which this participant receives video.
  func holder(of participant: ParticipantID) -> TileBoardSession? {
    holders[participant].flatMap { self[$0] }
  }

  /// Returns the indices of the sessions of `participants`, in the order of arrival.
  func indices(of participants: Set<ParticipantID>) -> [Int] {
    participants.compactMap { holders[$0].flatMap { index(of: $0) } }.sorted()
  }

  /// The sessions with a pending timer, in no particular order.
  var thoseWaiting: some Sequence<TileBoardSession> { waiting.lazy.compactMap { self[$0] } }

  /// The codecs that all receivers decode; all codecs if there are no receivers.
  var commonCodecs: VideoCodecSet { common.codecs }

  /// Applies a change of a session.
  ///
  /// - Parameter before: The codecs that the session decoded before the change.
  private mutating func note(at index: Int, _ before: VideoCodecSet?) {
    common.change(from: before, to: all[index].decodedCodecs)
    if all[index].isWaiting {
      waiting.insert(all[index].id)
    } else if !waiting.isEmpty {
      waiting.remove(all[index].id)
    }
  }

  /// Adds a session. Replaces an existing session that has the same id.
  mutating func put(_ session: TileBoardSession) {
    if let index = index(of: session.id) {
      let before = all[index].decodedCodecs
      all[index] = session
      note(at: index, before)
    } else {
      lastNumber += 1
      numbers[session.id] = lastNumber
      arrivals.append(lastNumber)
      all.append(session)
      note(at: all.count - 1, nil)
    }
    holders[session.participant] = session.id
  }

  mutating func remove(_ id: SessionID) {
    guard let index = index(of: id) else { return }
    numbers[id] = nil
    waiting.remove(id)
    arrivals.remove(at: index)
    let session = all.remove(at: index)
    common.change(from: session.decodedCodecs, to: nil)
    if holders[session.participant] == id { holders[session.participant] = nil }
  }

  /// Returns the index of the session whose arrival number is `number`.
  private func place(of number: UInt64) -> Int? {
    var (low, high) = (0, arrivals.count)
    while low < high {
      let middle = (low + high) / 2
      if arrivals[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low < arrivals.count && arrivals[low] == number ? low : nil
  }
}
