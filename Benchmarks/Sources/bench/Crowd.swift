import Foundation
import TestSupport
import Wire

/// Many clients of one server in one dedicated process (`Peers/crowd`).
struct Crowd {
  private let meter: MeasuringProcess

  /// Starts the clients and waits until they are connected.
  init(_ options: MeasurementOptions, _ arguments: [String]) throws {
    meter = try MeasuringProcess(["\(options.peers)/crowd"] + arguments)
    let greeting = try meter.readLine()
    guard greeting == "connected" else {
      throw BenchError.unreadable("crowd", answer: greeting)
    }
  }

  /// Starts clients that connect to a gateway and have no sessions yet.
  ///
  /// - Parameter bytes: The size of the data messages that the first client sends; `nil` if all
  ///   clients mute themselves one after another.
  init(
    _ options: MeasurementOptions, of gateway: Installation.Gateway,
    as attendees: [V1.AttendeeRecord],
    in directory: String, sending bytes: Int? = nil
  ) throws {
    let place = try Self.place(of: gateway, attendees, in: directory)
    if let bytes {
      try self.init(options, ["messages"] + place + ["\(bytes)"])
    } else {
      try self.init(options, ["meeting"] + place)
    }
  }

  /// Starts browsers that connect to a gateway and have not joined a meeting. The first browser
  /// sends data messages.
  static func browsers(
    _ options: MeasurementOptions, of gateway: Installation.Gateway,
    as attendees: [V1.AttendeeRecord],
    in directory: String, sending bytes: Int
  ) throws -> Crowd {
    let place = try place(of: gateway, attendees, in: directory)
    return try Crowd(options, ["browsers", "\(gateway.restPort)", place[1], "\(bytes)"])
  }

  /// Starts clients of an audience. The first client is in the primary meeting, and sends data
  /// messages.
  ///
  /// - Parameter roster: The number of attendees in each client's roster.
  static func audience(
    _ options: MeasurementOptions, of gateway: Installation.Gateway,
    as attendees: [V1.AttendeeRecord],
    in directory: String, sending bytes: Int, seeing roster: Int
  ) throws -> Crowd {
    let place = try place(of: gateway, attendees, in: directory)
    return try Crowd(options, ["audience"] + place + ["\(bytes)", "\(roster)"])
  }

  /// Returns the arguments for the gateway's address and the clients' credentials.
  private static func place(
    of gateway: Installation.Gateway, _ attendees: [V1.AttendeeRecord], in directory: String
  ) throws -> [String] {
    let lines = attendees.map { "\($0.meetingID) \($0.attendeeID) \($0.joinToken)\n" }
    let path = "\(directory)/credentials"
    try lines.joined().write(toFile: path, atomically: true, encoding: .utf8)
    return ["\(gateway.tcpPort)", path]
  }

  /// Starts all sessions, with at most `outstanding` starts in flight.
  ///
  /// - Returns: The seconds until all sessions have started and until all rosters are complete; and
  ///   the p50 and p99 of the time to start a session, in milliseconds.
  func join(
    outstanding: Int
  ) throws -> (joined: Double, agreed: Double, half: Double, most: Double) {
    let numbers = try meter.ask("join \(outstanding)")
    guard numbers.count == 4 else { throw BenchError.missing("A number of crowd's") }
    return (numbers[0], numbers[1], numbers[2] / 1_000_000, numbers[3] / 1_000_000)
  }

  /// Sends events to everyone, with at most `window` events in flight.
  func fan(events: Int, window: Int) throws -> DeliveryMeasurements {
    try delivery("fan \(events) \(window)")
  }

  /// Sends events to everyone in several crowds simultaneously.
  static func fan(_ crowds: [Crowd], events: Int, window: Int) throws {
    for crowd in crowds { try crowd.meter.tell("fan \(events) \(window)") }
    for crowd in crowds { _ = try crowd.meter.readNumbers() }
  }

  /// Sends events to everyone at even intervals.
  func pace(events: Int, perSecond rate: Int) throws -> DeliveryMeasurements {
    try delivery("pace \(events) \(rate)")
  }

  /// Kills the process that owns the roster.
  ///
  /// - Returns: The seconds until the first client receives a new snapshot of the roster, and the
  ///   seconds until all clients have a new snapshot and a complete roster.
  func kill(owner process: Int) throws -> (first: Double, all: Double) {
    let numbers = try meter.ask("kill \(process)")
    return (numbers[0], numbers[1])
  }

  /// The process id of the crowd.
  var processID: Int { meter.processID }

  /// Sends a line and waits for the answer, which is a line of numbers.
  func ask(_ line: String) throws -> [Double] { try meter.ask(line) }

  private func delivery(_ command: String) throws -> DeliveryMeasurements {
    let numbers = try meter.ask(command)
    guard numbers.count == 4 else { throw BenchError.missing("A number of crowd's") }
    return DeliveryMeasurements(
      perSecond: numbers[0], half: numbers[1] / 1_000, most: numbers[2] / 1_000, bytes: numbers[3])
  }

  func end() { meter.end() }

  /// The measurements of one run that delivers events.
  struct DeliveryMeasurements {
    let perSecond: Double

    /// The median time from the cause of an event to its delivery, in microseconds.
    let half: Double

    /// The 99th percentile of the time from the cause of an event to its delivery, in microseconds.
    let most: Double

    /// The number of bytes that one delivery sends over the network.
    let bytes: Double
  }
}

extension Installation {
  /// Returns the process id that the first gateway reports for an instance.
  func processID(of instance: String) async throws -> Int {
    let services = try await ask(V1.OperatorMethods.getServices, V1.GetServicesRequest())
    guard let found = services.instances.first(where: { $0.instance == instance }) else {
      throw BenchError.missing("The process of \(instance)")
    }
    return Int(found.processID)
  }

  /// Creates meetings with `count` attendees each. No attendee has joined.
  func makeAttendees(_ count: Int, meetings: Int = 1) async throws -> [V1.AttendeeRecord] {
    var attendees: [V1.AttendeeRecord] = []
    for _ in 0..<meetings {
      let request = V1.CreateMeetingRequest(maxAttendees: UInt32(count))
      let meeting = try await ask(V1.OperatorMethods.createMeeting, request)
      for number in 0..<count {
        attendees.append(try await createAttendee("client-\(number)", in: meeting))
      }
    }
    return attendees
  }

  /// Runs `body` in a real installation whose limits allow large meetings and high rates.
  static func run<Result: Sendable>(
    raised flags: [String], ofMessaging messaging: [String] = [], capacity: Int,
    _ body: (Installation) async throws -> Result
  ) async throws -> Result {
    let attendees = ["--max-attendees", "\(capacity)"]
    say("raised: \((attendees + flags + messaging).joined(separator: " "))")
    var result: Result?
    try await run(
      Options(
        presenceFlags: attendees, messagingFlags: messaging, gatewayFlags: attendees + flags)
    ) {
      result = try await body($0)
    }
    guard let result else { throw BenchError.missing("A result") }
    return result
  }
}
