import Bus
import Wire

extension V1.ServiceInstance {
  /// Encodes an instance for the operator's tools.
  init(_ instance: RegisteredInstance) {
    self.init(
      service: instance.service, instance: instance.instance, term: instance.term,
      isLive: instance.isLive, processID: UInt32(clamping: instance.processID),
      startedAtMs: instance.startedAt, isDraining: instance.isDraining,
      meetings: UInt32(clamping: instance.meetings))
  }
}
