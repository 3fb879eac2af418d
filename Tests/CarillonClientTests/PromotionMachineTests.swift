import TestSupport
import Testing

@testable import CarillonClientCore

/// Tests of the states of a promotion, and of the callbacks to observers.
struct PromotionMachineTests {
  typealias Machine = PromotionMachine<String>

  fileprivate static func attendee(_ id: String) -> PrimaryMeetingAttendee {
    PrimaryMeetingAttendee(
      meetingId: "primary",
      credentials: MeetingSessionCredentials(
        attendeeId: id, externalUserId: "", joinToken: ""))
  }

  /// Returns the effects as words: `ask 1 eve`, `act ada`, `promoted eve ok`, `leave`.
  private static func words(_ effects: [Machine.Effect]) -> [String] {
    effects.map { effect in
      switch effect {
      case .ask(let number, let call): "ask \(number) \(call)"
      case .leave: "leave"
      case .act(let attendee): "act \(attendee?.attendeeId ?? "nobody")"
      case .promoted(let call, let code): "promoted \(call) \(code)"
      case .demoted(let call, let code): "demoted \(call) \(code)"
      }
    }
  }

  /// Returns a machine in which eve was promoted as `ada`.
  private static func promoted() -> Machine {
    var machine = Machine()
    _ = machine.promote(for: "eve")
    _ = machine.answer(1, .success(attendee("ada")))
    return machine
  }

  private static let unheardOf = PromotionRefusal(.unknown)

  @Test func `a promotion is requested, answered and ended`() {
    var machine = Machine()
    #expect(Self.words(machine.promote(for: "eve")) == ["ask 1 eve"])
    #expect(
      Self.words(machine.answer(1, .success(Self.attendee("ada"))))
        == ["act ada", "promoted eve ok"])
    #expect(Self.words(machine.demote()) == ["leave", "act nobody", "demoted eve ok"])
    #expect(machine.demote().isEmpty)
  }

  @Test(arguments: [
    (MeetingSessionStatusCode.audioAuthenticationRejected, "audioAuthenticationRejected"),
    (.audioCallAtCapacity, "audioCallAtCapacity"),
    (.audioServiceUnavailable, "audioServiceUnavailable"),
    (.audioInternalServerError, "audioInternalServerError"),
    (.ok, "audioInternalServerError"), (.unknown, "audioInternalServerError"),
    (nil, "audioInternalServerError"),
  ])
  func `a refused promotion has one of four codes and causes no demotion`(
    code: MeetingSessionStatusCode?, heard: String
  ) {
    var machine = Machine()
    _ = machine.promote(for: "eve")
    #expect(
      Self.words(machine.answer(1, .failure(PromotionRefusal(code)))) == ["promoted eve \(heard)"])
    #expect(machine.demote().isEmpty && machine.connectionIsBack().isEmpty)
    #expect(machine.finish().isEmpty)
  }

  @Test
  func `a second request is refused while the first request is pending, and the first is answered`()
  {
    var machine = Machine()
    _ = machine.promote(for: "eve")
    #expect(Self.words(machine.promote(for: "mia")) == ["promoted mia audioInternalServerError"])
    #expect(
      Self.words(machine.answer(1, .success(Self.attendee("ada"))))
        == ["act ada", "promoted eve ok"])
  }

  @Test func `a successful promotion replaces the earlier promotion`() {
    var machine = Self.promoted()
    #expect(Self.words(machine.promote(for: "mia")) == ["ask 2 mia"])
    #expect(
      Self.words(machine.answer(2, .success(Self.attendee("ben")))) == [
        "act ben", "promoted mia ok",
      ])
    #expect(machine.endedByServer(as: "ada", .audioInternalServerError).isEmpty)
    #expect(Self.words(machine.demote()) == ["leave", "act nobody", "demoted mia ok"])
  }

  @Test func `a refused promotion leaves the earlier promotion unchanged`() {
    var machine = Self.promoted()
    _ = machine.promote(for: "mia")
    #expect(
      Self.words(machine.answer(2, .failure(Self.unheardOf)))
        == ["promoted mia audioInternalServerError"])
    #expect(Self.words(machine.demote()) == ["leave", "act nobody", "demoted eve ok"])
  }

  @Test func `the server can end a promotion while another promotion is requested`() {
    var machine = Self.promoted()
    _ = machine.promote(for: "mia")
    #expect(
      Self.words(machine.endedByServer(as: "ada", .audioAuthenticationRejected))
        == ["act nobody", "demoted eve audioAuthenticationRejected"])
    #expect(
      Self.words(machine.answer(2, .success(Self.attendee("ben")))) == [
        "act ben", "promoted mia ok",
      ])
  }

  @Test func `a demotion cancels a pending promotion request, and a late answer is ignored`() {
    var machine = Machine()
    _ = machine.promote(for: "eve")
    #expect(Self.words(machine.demote()) == ["leave", "promoted eve audioInternalServerError"])
    #expect(machine.answer(1, .success(Self.attendee("ada"))).isEmpty)
    #expect(Self.words(machine.promote(for: "eve")) == ["ask 2 eve"])
  }

  @Test
  func `a lost connection ends a request immediately and a promotion when the connection returns`()
  {
    var machine = Machine()
    _ = machine.promote(for: "eve")
    #expect(
      Self.words(machine.connectionWasLost())
        == ["leave", "promoted eve audioInternalServerError"])
    #expect(machine.connectionIsBack().isEmpty)
    machine = Self.promoted()
    #expect(machine.connectionWasLost().isEmpty)
    #expect(
      Self.words(machine.connectionIsBack())
        == ["leave", "act nobody", "demoted eve audioInternalServerError"])
  }

  @Test func `an attendee who asks for demotion while disconnected is demoted only once`() {
    var machine = Self.promoted()
    _ = machine.connectionWasLost()
    #expect(Self.words(machine.demote()) == ["leave", "act nobody", "demoted eve ok"])
    #expect(machine.connectionIsBack().isEmpty)
  }

  @Test func `the end of the session ends all promotions and permits no new promotion`() {
    var machine = Self.promoted()
    _ = machine.promote(for: "mia")
    #expect(
      Self.words(machine.finish()) == [
        "leave", "promoted mia audioInternalServerError", "act nobody",
        "demoted eve audioInternalServerError",
      ])
    #expect(machine.finish().isEmpty)
    #expect(Self.words(machine.promote(for: "eve")) == ["promoted eve audioServiceUnavailable"])
  }

  // MARK: Random histories

  /// A random history of a promotion machine. Each call has one numbered observer, with the
  /// callbacks that the observer must receive.
  private struct Simulation {
    var machine = PromotionMachine<Int>()
    var numbers: SeededGenerator
    var calls = 0
    var answers: [Int: Int] = [:]
    var succeeded: Set<Int> = []
    var replaced: Set<Int> = []
    var demoted: [Int: Int] = [:]
    var asked = 0
    var current: Int?
    var actor: String?

    mutating func step() {
      switch Int.random(in: 0..<9, using: &numbers) {
      case 0, 1:
        calls += 1
        take(machine.promote(for: calls))
      case 2, 3, 4: answer()
      case 5: take(machine.demote())
      case 6:
        let id = ["ada", "ben"][Int.random(in: 0..<2, using: &numbers)]
        take(machine.endedByServer(as: id, .audioAuthenticationRejected))
      case 7: take(machine.connectionWasLost())
      default: take(machine.connectionIsBack())
      }
    }

    /// Answers a request, sometimes late or twice.
    private mutating func answer() {
      let number = max(0, asked - Int.random(in: 0..<2, using: &numbers))
      let id = ["ada", "ben"][Int.random(in: 0..<2, using: &numbers)]
      let isOk = Bool.random(using: &numbers)
      take(
        machine.answer(
          number,
          isOk
            ? .success(PromotionMachineTests.attendee(id))
            : .failure(PromotionRefusal(.audioCallAtCapacity))))
    }

    mutating func take(_ effects: [PromotionMachine<Int>.Effect]) {
      for effect in effects {
        switch effect {
        case .ask(let number, _): asked = number
        case .leave: break
        case .act(let attendee): actor = attendee?.attendeeId
        case .promoted(let call, let code):
          answers[call, default: 0] += 1
          guard code == .ok else { continue }
          succeeded.insert(call)
          if let current { replaced.insert(current) }
          current = call
        case .demoted(let call, _):
          demoted[call, default: 0] += 1
          if current == call { current = nil }
        }
      }
    }
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `each request is answered once, and each accepted promotion ends once`(seed: UInt64) {
    var simulation = Simulation(numbers: SeededGenerator(seed: seed))
    for _ in 0..<80 {
      simulation.step()
      #expect((simulation.current != nil) == (simulation.actor != nil), "seed \(seed)")
    }
    simulation.take(simulation.machine.finish())
    #expect(simulation.calls > 0)
    for call in 1...max(1, simulation.calls) {
      #expect(simulation.answers[call] == 1, "call \(call) of seed \(seed)")
      let endures = simulation.succeeded.contains(call) && !simulation.replaced.contains(call)
      #expect(simulation.demoted[call] == (endures ? 1 : nil), "call \(call) of seed \(seed)")
    }
    #expect(simulation.current == nil && simulation.actor == nil)
  }
}
