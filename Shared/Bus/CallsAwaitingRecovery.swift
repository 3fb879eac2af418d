internal import MeetingModel

/// The calls that wait until a service has recovered, in the order of their arrival.
///
/// All calls run on the thread of the calls' server. This type removes cancelled calls.
public final class CallsAwaitingRecovery {
  private struct Waiting {
    let number: UInt64
    let answer: () -> Void
    let refuse: (Status) -> Void
    let giveUp: (() -> Void)?
  }

  private var waiting: [Waiting] = []
  private var lastNumber: UInt64 = 0

  /// Makes an empty list.
  public init() {}

  /// The number of waiting calls.
  public var count: Int { waiting.count }

  /// Adds a call.
  ///
  /// - Parameters:
  ///   - answer: Answers the call.
  ///   - ifGivenUp: This type calls this closure, and not `answer`, if the caller cancels.
  public func add<Reply>(
    _ call: Call<Reply>, ifGivenUp: (() -> Void)? = nil, answer: @escaping () -> Void
  ) {
    lastNumber += 1
    let number = lastNumber
    waiting.append(
      Waiting(number: number, answer: answer, refuse: { call.fail($0) }, giveUp: ifGivenUp))
    call.onCancel = { [weak self] in self?.giveUp(number) }
  }

  /// Answers all calls. The service calls this method after recovery.
  public func answerAll() {
    for waiting in takeAll() { waiting.answer() }
  }

  /// Rejects all calls. The service calls this method when the service stops before the end of
  /// recovery.
  public func refuseAll() {
    let status = Status(
      .unavailable, "This instance is stopping; try another or try again.", reason: .draining)
    for waiting in takeAll() { waiting.refuse(status) }
  }

  private func takeAll() -> [Waiting] {
    defer { waiting = [] }
    return waiting
  }

  private func giveUp(_ number: UInt64) {
    guard let index = waiting.firstIndex(where: { $0.number == number }) else { return }
    waiting.remove(at: index).giveUp?()
  }
}
