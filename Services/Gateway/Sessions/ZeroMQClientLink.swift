import Bus
import Wire

/// The link to a client that is connected over ZeroMQ.
final class ZeroMQClientLink: ClientLink {
  private let outbox: SessionOutbox

  init(_ outbox: SessionOutbox) { self.outbox = outbox }

  var isEmpty: Bool { outbox.isEmpty }
  var unacknowledged: Int { outbox.unacknowledged }
  var isCongested: Bool { outbox.isCongested }

  func queue(_ item: PackedSessionEvents) { outbox.queue(item) }

  func flush() -> FlushOutcome {
    switch outbox.flush() {
    case .sent: .sent
    case .overBudget: .overBudget
    case .unreachable: .unreachable
    }
  }

  func acknowledge(_ bytes: UInt64) { outbox.acknowledge(bytes) }

  func end(_ status: V1.Status?) { outbox.end(status) }
}
