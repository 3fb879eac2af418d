import Testing

@testable import CarillonClientCore

struct ObserverRegistryTests {
  @Test func `an observer that is added twice is called once`() async throws {
    let fixture = SessionFixture()
    fixture.audioVideo.addRealtimeObserver(observer: fixture.recorder)
    fixture.audioVideo.addAudioVideoObserver(observer: fixture.recorder)
    try await fixture.connect()
    try fixture.delegate.presenceDidChange([AttendeePresenceReport("bob", .joined)])
    #expect(
      await fixture.recorder.lines() == ["connecting false", "started false", "join bob"])
  }

  @Test func `during a call, an observer may remove itself and another observer`() async {
    let registry = ObserverRegistry<any RealtimeObserver>()
    let recorders = [Recorder(), Recorder(), Recorder()]
    for recorder in recorders { registry.add(recorder) }
    registry.post { observer in
      observer.attendeesDidJoin(attendeeInfo: [AttendeeInfo("a")])
      registry.remove(recorders[0])
      registry.remove(recorders[1])
    }
    registry.post { $0.attendeesDidLeave(attendeeInfo: [AttendeeInfo("a")]) }
    #expect(await recorders[0].lines() == ["join a"])
    #expect(await recorders[1].lines().isEmpty)
    #expect(await recorders[2].lines() == ["join a", "leave a"])
  }

  @Test func `a posted block calls the observers that are registered when the block runs`() async {
    let registry = ObserverRegistry<any RealtimeObserver>()
    let early = Recorder()
    let late = Recorder()
    registry.add(early)
    await MainActor.run {
      registry.post { $0.attendeesDidJoin(attendeeInfo: [AttendeeInfo("a")]) }
      registry.remove(early)
      registry.add(late)
    }
    #expect(await early.lines().isEmpty)
    #expect(await late.lines() == ["join a"])
  }

  @Test func `removing an unknown observer has no effect`() async throws {
    let fixture = SessionFixture()
    fixture.audioVideo.removeRealtimeObserver(observer: Recorder())
    fixture.audioVideo.removeAudioVideoObserver(observer: Recorder())
    try await fixture.connect()
    #expect(await fixture.recorder.lines() == ["connecting false", "started false"])
  }
}
