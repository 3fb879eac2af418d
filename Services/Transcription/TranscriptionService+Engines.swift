import Bus
import MeetingModel
import Ownership
import Wire

// Answers the requests of engines: attachment and reports.
extension TranscriptionService: TranscriptionEngineServer {
  func attach(_ request: V1.AttachEngineRequest, _ stream: ServerStream<V1.EngineItem>) {
    do {
      let engine = try EngineDescription(request)
      guard (1...10_000).contains(request.credit) else {
        throw InvalidModelValue.invalidValue(what: "credit", rule: "1-10000")
      }
      try decide { core, now in
        let token = try core.attach(engine, credit: Int(request.credit), at: now)
        attachments[token] = Attachment(stream: stream, engine: engine.id)
        stream.onCancel = { [unowned self] in detach(token) }
      }
    } catch {
      stream.end(owner.refusal(error))
    }
  }

  private func detach(_ token: EngineAttachmentID) {
    attachments[token] = nil
    decide { $0.detach(token, at: $1) }
  }

  func report(_ request: V1.ReportResultsRequest, _ call: Call<V1.ReportResultsReply>) {
    attempt(call) {
      // Only the connection that attached an engine may send the reports of this engine.
      let attached = attachments.first {
        $0.value.engine == request.engineID && $0.value.stream.route == call.route
      }
      guard let token = attached?.key else { throw TranscriptionError.unknownEngine }
      // The service drops only the invalid entry. If the service refused the whole report, the
      // engine would attach again, get the same speech, and send the same entry again.
      let report = TranscriptionEngineReport(request)
      let dropped = try decide { try $0.take(report, from: token, at: $1) }
      call.reply(V1.ReportResultsReply(droppedResults: UInt32(clamping: dropped)))
    }
  }
}
