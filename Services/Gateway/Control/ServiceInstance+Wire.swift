import Bus
import Wire

extension V1.ServiceInstance {
  /// What an operator is told of an instance.
  init(_ instance: RegisteredInstance) {
    self.init(
      service: instance.service, instance: instance.instance, term: instance.term,
      isLive: instance.isLive, processID: UInt32(clamping: instance.processID),
      startedAtMs: instance.startedAt, isDraining: instance.isDraining,
      meetings: UInt32(clamping: instance.meetings))
  }
}
