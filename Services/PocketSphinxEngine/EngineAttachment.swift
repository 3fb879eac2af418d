import Bus
import MeetingModel
import Wire
import ZeroMQ

/// The engine's attachment to one instance of `transcription`. The type delivers work, sends
/// reports, and attaches again after each end of the attachment. All calls run on the attachment's
/// ``SocketThread``.
final class EngineAttachment {
  /// Called with each item of work and the current id of the attachment.
  var onItem: ((V1.EngineItem, [MessageFrame], TranscriptionAttachmentID) -> Void)?

  /// Called when the attachment with this id has ended. The engine must then drop the work of this
  /// attachment. The status is the reason if `transcription` ended the attachment.
  var onLoss: ((TranscriptionAttachmentID, Status?) -> Void)?

  /// Called with the number of results that were too large for a report.
  var onOversizedResults: ((Int) -> Void)?

  private(set) var id = TranscriptionAttachmentID(number: 0)

  /// Whether `transcription` has accepted the attachment.
  private(set) var isAttached = false

  private let request: V1.AttachEngineRequest
  private let channel: RequestChannel
  private let nextID: () -> TranscriptionAttachmentID
  private var handle: StreamCallHandle?
  private var pending = PendingEngineReport()
  private var isReporting = false
  private let retry: ThreadTimer
  private let alive: ThreadTimer

  /// The time between two attempts to attach.
  private static let pause = Duration.milliseconds(500)

  /// Creates the attachment and starts the first attempt.
  ///
  /// - Parameter nextID: Returns an id that no attachment of this process has had.
  init(
    _ request: V1.AttachEngineRequest, to endpoint: Endpoint, in context: ZMQContext,
    on thread: SocketThread, nextID: @escaping () -> TranscriptionAttachmentID
  ) throws(ZeroMQError) {
    self.request = request
    self.nextID = nextID
    (retry, alive) = (ThreadTimer(on: thread), ThreadTimer(on: thread))
    channel = try RequestChannel(to: endpoint, in: context, on: thread)
    attach()
  }

  func close() {
    retry.cancel()
    alive.cancel()
    if let handle { channel.cancel(handle) }
    handle = nil
    channel.close()
    onLoss?(id, nil)
  }

  /// Reports the outcome of a job together with all other pending outcomes.
  func report(_ outcome: RecognitionOutcome) {
    guard outcome.attachment == id else { return }
    let before = pending.oversizedResults
    pending.add(outcome)
    let oversized = pending.oversizedResults - before
    if oversized > 0 { onOversizedResults?(oversized) }
    flush()
  }

  private func attach() {
    id = nextID()
    pending = PendingEngineReport()
    isReporting = false
    let id = id
    handle = channel.openRaw(
      V1.TranscriptionEngineMethods.attach, request, CallOptions(),
      onItem: { [weak self] in self?.take($0, $1, id) },
      onEnd: { [weak self] in self?.ended(id, $0) })
  }

  private func take(_ item: V1.EngineItem, _ raw: [MessageFrame], _ id: TranscriptionAttachmentID) {
    guard id == self.id else { return }
    guard case .attached(let attached) = item.item else {
      onItem?(item, raw, id)
      return
    }
    isAttached = true
    pending = PendingEngineReport(maximumBytes: Int(attached.maxResultBytes))
    sayAlive(every: .milliseconds(Int64(max(1, attached.reportSeconds)) * 500))
  }

  private func ended(_ id: TranscriptionAttachmentID, _ status: Status?) {
    guard id == self.id else { return }
    (handle, isAttached) = (nil, false)
    alive.cancel()
    onLoss?(id, status)
    retry.setUnlessSet(after: Self.pause) { [weak self] in self?.attach() }
  }

  private func sayAlive(every interval: Duration) {
    alive.set(after: interval) { [weak self] in
      self?.flush(isDue: true)
      self?.sayAlive(every: interval)
    }
  }

  private func flush(isDue: Bool = false) {
    guard isAttached, !isReporting, isDue || !pending.isEmpty else { return }
    let report = pending.takeReport(of: request.engineID)
    isReporting = true
    let id = id
    channel.call(V1.TranscriptionEngineMethods.report, report, CallOptions()) { [weak self] in
      self?.reported($0, id)
    }
  }

  private func reported(
    _ answer: Result<V1.ReportResultsReply, Status>, _ id: TranscriptionAttachmentID
  ) {
    guard id == self.id else { return }
    isReporting = false
    switch answer {
    case .success:
      flush()
    case .failure(let status):
      // Credit or results may be lost together with the connection, or `transcription` may not know
      // the attachment. So the engine attaches again.
      if let handle { channel.cancel(handle) }
      ended(id, status)
    }
  }
}
