public import MeetingModel
public import ZeroMQ

/// A queue of notices for the owners of one service. The queue retries each notice until the owner
/// that receives the notice answers.
///
/// The queue sends notices about one subject in order, so that the last notice takes effect.
/// Notices about different subjects do not wait for each other. When an owner does not know the
/// subject and answers `notFound`, the queue removes the notice as done. All calls run on its
/// ``SocketThread``.
public final class OwnerNoticeQueue<Client> {
  /// The subject of a notice.
  public struct Subject: Hashable, Sendable {
    let meeting: MeetingID
    private let part: Part

    private enum Part: Hashable {
      case whole
      case session(SessionID)
      case attendee(AttendeeID)
    }

    private init(_ meeting: MeetingID, _ part: Part) { (self.meeting, self.part) = (meeting, part) }

    /// Returns the subject for the meeting as a whole.
    public static func meeting(_ meeting: MeetingID) -> Subject { Subject(meeting, .whole) }

    /// Returns the subject for one session of a meeting.
    public static func session(_ session: SessionID, in meeting: MeetingID) -> Subject {
      Subject(meeting, .session(session))
    }

    /// Returns the subject for one attendee of a meeting, whether or not the attendee is present.
    public static func attendee(_ attendee: AttendeeID, in meeting: MeetingID) -> Subject {
      Subject(meeting, .attendee(attendee))
    }
  }

  /// A closure that calls the owner. `then` receives `nil` when the owner accepted the call.
  public typealias Tell = (Client, CallOptions, _ then: @escaping (Status?) -> Void) -> Void

  private struct Notice {
    let number: UInt64
    let tell: Tell
    let isWanted: () -> Bool
    let then: ((Status?) -> Void)?
    var retry: Retry

    /// The newest attempt to send the notice. The queue ignores the failure of an older attempt.
    var attempt: UInt64 = 0
  }

  /// A wait until the owner has answered certain notices.
  private struct AnswerWaiter {
    var left: Set<UInt64>
    let then: () -> Void
  }

  private let links: ServiceLinks<Client>
  private let thread: SocketThread
  private var queues: [Subject: [Notice]] = [:]
  private var settling: [AnswerWaiter] = []
  private var lastNumber: UInt64 = 0
  private var lastAttempt: UInt64 = 0
  private var isClosed = false

  /// The retry window of a notice.
  ///
  /// If an owner misses a notice, the next announcement of all sessions contains the same
  /// information.
  private static var timeout: Duration { .seconds(10) }

  /// The maximum number of notices about one subject that may wait.
  ///
  /// A full queue first drops the notices that their callers no longer want, and then rejects new
  /// notices.
  private static var longestQueue: Int { 256 }

  public init(to links: ServiceLinks<Client>, on thread: SocketThread) {
    (self.links, self.thread) = (links, thread)
  }

  /// The number of notices that wait for an answer.
  public var count: Int { queues.values.reduce(0) { $0 + $1.count } }

  /// Sends a notice to the owner of the subject's meeting, and retries until the owner answers.
  ///
  /// - Parameters:
  ///   - timeout: The retry window; `nil` for ten seconds.
  ///   - isWanted: Called before each attempt. If the result is `false`, the queue drops the
  ///     notice.
  ///   - then: Called once. Receives `nil` when the owner accepted the notice or no longer needs
  ///     the notice, and otherwise the failure.
  ///   - tell: Makes the call to the owner.
  public func add(
    _ subject: Subject, timeout: Duration? = nil,
    while isWanted: @escaping () -> Bool = { true }, then: ((Status?) -> Void)? = nil,
    _ tell: @escaping Tell
  ) {
    if queues[subject, default: []].count >= Self.longestQueue { dropUnwanted(of: subject) }
    guard !isClosed, queues[subject, default: []].count < Self.longestQueue else {
      then?(
        Status(.unavailable, "Too many notifications are queued; try again.", reason: .overloaded))
      return
    }
    let retry = Retry(
      until: thread.now + (timeout ?? Self.timeout), longestPause: .milliseconds(500))
    lastNumber += 1
    queues[subject, default: []].append(
      Notice(number: lastNumber, tell: tell, isWanted: isWanted, then: then, retry: retry))
    if queues[subject]?.count == 1 {
      tellFirst(of: subject)
    } else if then != nil {
      answerInTime(lastNumber, of: subject, within: timeout ?? Self.timeout)
    }
  }

  /// Sends a notice to the owner, and waits for the owner's answer.
  ///
  /// - Throws: The last failure if the owner has not answered within `timeout`, or the owner's
  ///   refusal.
  public func tell(
    _ subject: Subject, timeout: Duration? = nil, _ tell: @escaping Tell
  ) async throws(Status) {
    let status = await withCheckedContinuation { continuation in
      add(subject, timeout: timeout, then: { continuation.resume(returning: $0) }, tell)
    }
    if let status { throw status }
  }

  /// Immediately sends an owner all unanswered notices again.
  ///
  /// - Parameter then: Called when the owner has answered these notices, or when the retry windows
  ///   of these notices have passed. This method does not wait for notices that callers add after
  ///   the call.
  public func settle(_ owner: ServiceLink<Client>, then: @escaping () -> Void) {
    let subjects = queues.keys.filter { links.owner(of: $0.meeting) === owner }
    let left = Set(subjects.flatMap { queues[$0, default: []].map(\.number) })
    guard !left.isEmpty else { return then() }
    settling.append(AnswerWaiter(left: left, then: then))
    for subject in subjects { tellFirst(of: subject) }
  }

  /// Stops sending. Waiting callers receive `cancelled`.
  public func close() {
    isClosed = true
    let left = queues.values.joined()
    (queues, settling) = ([:], [])
    for notice in left { notice.then?(Status(.cancelled, "The queue is closed.")) }
  }

  /// Fails a notice at its timeout even if the notice still waits for earlier notices.
  private func answerInTime(_ number: UInt64, of subject: Subject, within timeout: Duration) {
    _ = thread.schedule(after: timeout) { [weak self] in
      guard let self, let index = queues[subject]?.firstIndex(where: { $0.number == number }),
        index > 0, let notice = queues[subject]?.remove(at: index)
      else { return }
      settled(number)
      notice.then?(Status(.unavailable, "The service does not answer; try again."))
    }
  }

  private func tellFirst(of subject: Subject) {
    guard let notice = queues[subject]?.first else { return }
    guard notice.isWanted() else { return finishFirst(of: subject, nil) }
    lastAttempt += 1
    let attempt = lastAttempt
    queues[subject]?[0].attempt = attempt
    guard let owner = links.owner(of: subject.meeting) else {
      return failed(
        subject, attempt, Status(.unavailable, "No instance of the service lives; try again."))
    }
    // The options carry no term, because a notice is valid under any term of the owner.
    notice.tell(owner.client, CallOptions(timeout: .seconds(2))) { [weak self] status in
      guard let self, queues[subject]?.first?.number == notice.number else { return }
      guard let status, status.code != .notFound else { return finishFirst(of: subject, nil) }
      failed(subject, attempt, status)
    }
  }

  private func failed(_ subject: Subject, _ attempt: UInt64, _ status: Status) {
    guard queues[subject]?.first?.attempt == attempt else { return }
    guard let pause = queues[subject]?[0].retry.pause(after: status, at: thread.now) else {
      return finishFirst(of: subject, status)
    }
    _ = thread.schedule(after: pause) { [weak self] in
      guard let self, queues[subject]?.first?.attempt == attempt else { return }
      tellFirst(of: subject)
    }
  }

  private func finishFirst(of subject: Subject, _ status: Status?) {
    guard let notice = queues[subject]?.removeFirst() else { return }
    if queues[subject]?.isEmpty == true {
      queues[subject] = nil
    } else {
      tellFirst(of: subject)
    }
    settled(notice.number)
    notice.then?(status)  // This call is last, because the closure may add a notice.
  }

  /// Makes room: drops the notices that their callers no longer want, but keeps the first notice.
  private func dropUnwanted(of subject: Subject) {
    guard let notices = queues[subject] else { return }
    let unwanted = notices.dropFirst().filter { !$0.isWanted() }
    let numbers = Set(unwanted.map(\.number))
    queues[subject]?.removeAll { numbers.contains($0.number) }
    for notice in unwanted {
      settled(notice.number)
      notice.then?(nil)
    }
  }

  private func settled(_ number: UInt64) {
    for index in settling.indices { settling[index].left.remove(number) }
    let done = settling.filter(\.left.isEmpty)
    guard !done.isEmpty else { return }
    settling.removeAll(where: \.left.isEmpty)
    for settling in done { settling.then() }
  }
}

extension Result where Failure == Status {
  /// The status of a failure; `nil` for a success.
  public var failure: Status? {
    if case .failure(let status) = self { status } else { nil }
  }
}
