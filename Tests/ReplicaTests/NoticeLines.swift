import MeetingModel

/// One gateway's notices to the owners of one service, as `OwnerNoticeQueue` sends them. This type
/// sends notices about one subject in order. This type repeats a notice until the owner has
/// answered the notice or no longer needs the notice.
final class NoticeLines {
  enum Subject: Hashable {
    case session(SessionID, in: MeetingID)
    case attendee(AttendeeID, in: MeetingID)
    case meeting(MeetingID)
  }

  typealias Tell = (_ then: @escaping (Status?) -> Void) -> Void

  private struct Notice {
    let number: UInt64
    let mayExpire: Bool
    let isWanted: () -> Bool
    let then: (Status?) -> Void
    let tell: Tell
    var attempt: UInt64 = 0
    var isFailed = false
  }

  private var lines: [(subject: Subject, notices: [Notice])] = []
  private var last: UInt64 = 0

  var isEmpty: Bool { lines.isEmpty }

  func add(
    _ subject: Subject, mayExpire: Bool = false, while isWanted: @escaping () -> Bool = { true },
    then: @escaping (Status?) -> Void = { _ in }, _ tell: @escaping Tell
  ) {
    last += 1
    let notice = Notice(
      number: last, mayExpire: mayExpire, isWanted: isWanted, then: then, tell: tell)
    if let index = index(of: subject) {
      lines[index].notices.append(notice)
    } else {
      lines.append((subject, [notice]))
      tellFirst(of: subject)
    }
  }

  /// Sends the failed notices again.
  func retry() {
    for subject in lines.filter({ $0.notices[0].isFailed }).map(\.subject) {
      tellFirst(of: subject)
    }
  }

  /// Drops the notices that have failed for too long.
  func expire() {
    let late = lines.filter { $0.notices[0].isFailed && $0.notices[0].mayExpire }
    for subject in late.map(\.subject) {
      finishFirst(of: subject, Network.away)
    }
  }

  private func index(of subject: Subject) -> Int? { lines.firstIndex { $0.subject == subject } }

  private func tellFirst(of subject: Subject) {
    guard let index = index(of: subject) else { return }
    let notice = lines[index].notices[0]
    guard notice.isWanted() else { return finishFirst(of: subject, nil) }
    last += 1
    let attempt = last
    lines[index].notices[0].attempt = attempt
    lines[index].notices[0].isFailed = false
    notice.tell { [weak self] status in
      self?.answered(notice.number, attempt, of: subject, status)
    }
  }

  private func answered(
    _ number: UInt64, _ attempt: UInt64, of subject: Subject, _ status: Status?
  ) {
    guard let index = index(of: subject), let first = lines[index].notices.first,
      first.number == number
    else { return }
    guard let status, status.code != .notFound else { return finishFirst(of: subject, nil) }
    guard first.attempt == attempt else { return }
    if status.isTransient {
      lines[index].notices[0].isFailed = true
    } else {
      finishFirst(of: subject, status)
    }
  }

  private func finishFirst(of subject: Subject, _ status: Status?) {
    guard let index = index(of: subject) else { return }
    let notice = lines[index].notices.removeFirst()
    if lines[index].notices.isEmpty { lines.remove(at: index) } else { tellFirst(of: subject) }
    notice.then(status)
  }
}
