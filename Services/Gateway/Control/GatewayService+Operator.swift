import Bus
import MeetingModel
import ServiceHost
import Wire

// The operator's face: what arrives on the operator's endpoint, which the mode of the runtime
// directory protects. GetLimits is the one of the client's face.
extension GatewayService: OperatorServer {
  func createMeeting(_ request: V1.CreateMeetingRequest, _ call: Call<V1.MeetingRecord>) {
    let control = control
    call.perform { try await control.create(request) }
  }

  func getMeeting(_ request: V1.GetMeetingRequest, _ call: Call<V1.MeetingRecord>) {
    let control = control
    call.perform { try await control.show(request) }
  }

  func listMeetings(_ request: V1.ListMeetingsRequest, _ call: Call<V1.ListMeetingsReply>) {
    let control = control
    call.perform { try await control.list(request) }
  }

  func deleteMeeting(_ request: V1.DeleteMeetingRequest, _ call: Call<V1.DeleteMeetingReply>) {
    let control = control
    call.perform { try await control.delete(request) }
  }

  func createAttendee(_ request: V1.CreateAttendeeRequest, _ call: Call<V1.AttendeeRecord>) {
    let control = control
    call.perform { try await control.create(request) }
  }

  func listAttendees(_ request: V1.ListAttendeesRequest, _ call: Call<V1.ListAttendeesReply>) {
    let control = control
    call.perform { try await control.list(request) }
  }

  func deleteAttendee(_ request: V1.DeleteAttendeeRequest, _ call: Call<V1.DeleteAttendeeReply>) {
    let control = control
    call.perform { try await control.delete(request) }
  }

  func muteAttendee(_ request: V1.MuteAttendeeRequest, _ call: Call<V1.MuteAttendeeReply>) {
    let control = control
    call.perform { try await control.mute(request) }
  }

  func getRoster(_ request: V1.GetRosterRequest, _ call: Call<V1.RosterSnapshot>) {
    let control = control
    call.perform { try await control.roster(request) }
  }

  func listMessages(_ request: V1.ListMessagesRequest, _ call: Call<V1.ListMessagesReply>) {
    let control = control
    call.perform { try await control.messages(request) }
  }

  func getServices(_ request: V1.GetServicesRequest, _ call: Call<V1.GetServicesReply>) {
    do throws(RegistryError) {
      var instances: [V1.ServiceInstance] = []
      for service in try registry.services() {
        instances += try registry.instances(of: service).map(V1.ServiceInstance.init(_:))
      }
      call.reply(V1.GetServicesReply(instances: instances, version: BuildVersion.current))
    } catch {
      call.fail(error.status)
    }
  }
}

extension V1.ServiceInstance {
  fileprivate init(_ instance: RegisteredInstance) {
    self.init(
      service: instance.service, instance: instance.instance, term: instance.term,
      isLive: instance.isLive, processID: UInt32(clamping: instance.processID),
      startedAtMs: instance.startedAt)
  }
}
