internal import MeetingModel

/// Calls that a service answers when it has recovered, in the order they came.
///
/// Lives on the thread of their server. Whoever waits no longer is forgotten.
public final class WaitingCalls {
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

  /// How many calls wait.
  public var count: Int { waiting.count }

  /// Lets a call wait.
  ///
  /// - Parameters:
  ///   - answer: Answers it.
  ///   - ifGivenUp: Called instead if its caller does not wait for that.
  public func add<Reply>(
    _ call: Call<Reply>, ifGivenUp: (() -> Void)? = nil, answer: @escaping () -> Void
  ) {
    lastNumber += 1
    let number = lastNumber
    waiting.append(
      Waiting(number: number, answer: answer, refuse: { call.fail($0) }, giveUp: ifGivenUp))
    call.onCancel = { [weak self] in self?.giveUp(number) }
  }

  /// The service has recovered.
  public func answerAll() {
    for waiting in takeAll() { waiting.answer() }
  }

  /// The service stops before it has recovered.
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
