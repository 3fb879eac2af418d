import MeetingModel
import TestSupport
import LongComputation
import Testing

@testable import Gateway

/// Tests of the tracker with random histories of sessions and services.
@Suite(.longComputation) struct SessionAdmissionTrackerSimulation {
  private static let services = (0..<5).map { ServiceID(name: "service-\($0)") }

  /// The effects of the tracker on one session.
  private struct Seen {
    var began = false
    var refused = false
    var closed = false
    var needs: [SessionAdmissionTracker.Need] = []
    var asked: [ServiceID: SessionAdmissionTracker.ServiceRequest] = [:]
  }

  private struct World {
    var random: SeededGenerator
    var ledger = SessionAdmissionTracker()
    var seen: [SessionNumber: Seen] = [:]
    var now = ContinuousClock.now
    var nextSession: UInt64 = 1
  }

  @Test(arguments: 0..<200)
  func `every session begins or is refused exactly once`(
    seed: Int
  ) {
    var world = World(random: SeededGenerator(seed: UInt64(seed)))
    for _ in 0..<400 { step(&world) }
    // In these rounds, all services answer, so every service that an open session needs must admit
    // the session.
    for _ in 0..<200 {
      world.now += .milliseconds(50)
      world.ledger.advance(to: world.now)
      take(&world)
      for (number, seen) in world.seen {
        for attempt in seen.asked.values {
          world.seen[number]?.asked[attempt.service] = nil
          world.ledger.answered(attempt, nil, at: world.now)
          take(&world)
        }
      }
    }
    #expect(!world.ledger.isWaiting)
    for (number, seen) in world.seen where !seen.closed && !seen.refused {
      #expect(seen.began, "Session \(number.value) never began.")
    }
    #expect(world.ledger.count == world.seen.values.count { !$0.closed && !$0.refused })
  }

  private func step(_ world: inout World) {
    world.now += .milliseconds(Int.random(in: 0...80, using: &world.random))
    switch Int.random(in: 0..<10, using: &world.random) {
    case 0: open(&world)
    case 1: close(&world)
    case 2: lack(&world)
    case 3, 4: world.ledger.advance(to: world.now)
    default: answer(&world)
    }
    take(&world)
  }

  private func open(_ world: inout World) {
    let number = SessionNumber(value: world.nextSession)
    world.nextSession += 1
    let needs = Self.services.enumerated().map { index, service in
      SessionAdmissionTracker.Need(
        service: service, step: index < 2 ? .beforeRoster : index == 2 ? .roster : .afterRoster,
        timeout: .milliseconds(Int.random(in: 0...1_000, using: &world.random)),
        isEssential: index == 2 || Bool.random(using: &world.random))
    }
    world.seen[number] = Seen(needs: needs)
    world.ledger.open(number, needing: needs, at: world.now)
  }

  private func close(_ world: inout World) {
    guard let number = pick(&world) else { return }
    world.ledger.close(number)
    world.seen[number]?.closed = true
  }

  private func lack(_ world: inout World) {
    guard let number = pick(&world),
      let service = Self.services.randomElement(using: &world.random)
    else { return }
    world.ledger.lacks(number, service)
  }

  private func answer(_ world: inout World) {
    guard let number = pick(&world),
      let attempts = world.seen[number]?.asked.values.sorted(by: { $0.number < $1.number }),
      let attempt = attempts.randomElement(using: &world.random)
    else { return }
    let failure: Status? =
      switch Int.random(in: 0..<10, using: &world.random) {
      case 0..<5: nil
      case 5..<9: Status(.unavailable, "It is away.")
      default: Status(.internalError, "It is wrong.")
      }
    world.seen[number]?.asked[attempt.service] = nil
    world.ledger.answered(attempt, failure, at: world.now)
  }

  private func pick(_ world: inout World) -> SessionNumber? {
    let numbers = world.seen.filter { !$0.value.closed && !$0.value.refused }.keys
    return numbers.sorted { $0.value < $1.value }.randomElement(using: &world.random)
  }

  /// Carries out the effects of the tracker, and checks that the tracker may cause each effect.
  private func take(_ world: inout World) {
    for effect in world.ledger.takeEffects() {
      switch effect {
      case .ask(let attempt):
        let seen = world.seen[attempt.session]
        #expect(seen?.closed == false && seen?.refused == false)
        let step = seen?.needs.first { $0.service == attempt.service }?.step
        #expect(step != .afterRoster || seen?.began == true)
        world.seen[attempt.session]?.asked[attempt.service] = attempt
      case .begin(let number):
        let seen = world.seen[number]
        #expect(seen?.began == false && seen?.refused == false && seen?.closed == false)
        #expect(world.ledger.isTakenIn(number, by: Self.services[2]))
        world.seen[number]?.began = true
      case .refuse(let number, _):
        #expect(world.seen[number]?.began == false && world.seen[number]?.refused == false)
        world.seen[number]?.refused = true
      case .goOnWithout(let service, let number, _):
        let need = world.seen[number]?.needs.first { $0.service == service }
        #expect(need?.isEssential == false || world.seen[number]?.began == true)
      }
    }
  }
}
