import Foundation
import TestSupport
import Wire

/// Many clients of one server, in one process that does nothing else (`Peers/crowd`).
struct Crowd {
  private let meter: Meter

  /// Starts the clients; they are connected when this returns.
  init(_ options: Options, _ arguments: [String]) throws {
    meter = try Meter(["\(options.peers)/crowd"] + arguments)
    let greeting = try meter.readLine()
    guard greeting == "connected" else {
      throw BenchError.unreadable("crowd", answer: greeting)
    }
  }

  /// Clients of a gateway; none has a session yet.
  ///
  /// - Parameter bytes: The first one sends data messages of so many; `nil`: all mute themselves in
  ///   turn.
  init(
    _ options: Options, of gateway: Installation.Gateway, as attendees: [V1.AttendeeRecord],
    in directory: String, sending bytes: Int? = nil
  ) throws {
    let place = try Self.place(of: gateway, attendees, in: directory)
    if let bytes {
      try self.init(options, ["messages"] + place + ["\(bytes)"])
    } else {
      try self.init(options, ["meeting"] + place)
    }
  }

  /// Browsers at a gateway; none has joined yet, and the first one sends data messages.
  static func browsers(
    _ options: Options, of gateway: Installation.Gateway, as attendees: [V1.AttendeeRecord],
    in directory: String, sending bytes: Int
  ) throws -> Crowd {
    let place = try place(of: gateway, attendees, in: directory)
    return try Crowd(options, ["browsers", "\(gateway.restPort)", place[1], "\(bytes)"])
  }

  /// Clients of an audience, of whom the first one is on stage and sends data messages.
  ///
  /// - Parameter roster: How many attendees each sees.
  static func audience(
    _ options: Options, of gateway: Installation.Gateway, as attendees: [V1.AttendeeRecord],
    in directory: String, sending bytes: Int, seeing roster: Int
  ) throws -> Crowd {
    let place = try place(of: gateway, attendees, in: directory)
    return try Crowd(options, ["audience"] + place + ["\(bytes)", "\(roster)"])
  }

  /// Where a crowd finds its gateway, and the credentials of its clients.
  private static func place(
    of gateway: Installation.Gateway, _ attendees: [V1.AttendeeRecord], in directory: String
  ) throws -> [String] {
    let lines = attendees.map { "\($0.meetingID) \($0.attendeeID) \($0.joinToken)\n" }
    let path = "\(directory)/credentials"
    try lines.joined().write(toFile: path, atomically: true, encoding: .utf8)
    return ["\(gateway.tcpPort)", path]
  }

  /// Starts every session, so many at a time.
  ///
  /// - Returns: Seconds until all have begun, and until everybody's roster holds everybody; and how
  ///   long half of the sessions took to begin, and 99 of 100, in milliseconds.
  func join(
    outstanding: Int
  ) throws -> (joined: Double, agreed: Double, half: Double, most: Double) {
    let numbers = try meter.ask("join \(outstanding)")
    guard numbers.count == 4 else { throw BenchError.missing("A number of crowd's") }
    return (numbers[0], numbers[1], numbers[2] / 1_000_000, numbers[3] / 1_000_000)
  }

  /// Has events told to everybody; at most `window` of them are under way.
  func fan(events: Int, window: Int) throws -> Delivery {
    try delivery("fan \(events) \(window)")
  }

  /// Has events told to everybody, in several crowds at once.
  static func fan(_ crowds: [Crowd], events: Int, window: Int) throws {
    for crowd in crowds { try crowd.meter.tell("fan \(events) \(window)") }
    for crowd in crowds { _ = try crowd.meter.readNumbers() }
  }

  /// Has events told to everybody at even intervals.
  func pace(events: Int, perSecond rate: Int) throws -> Delivery {
    try delivery("pace \(events) \(rate)")
  }

  /// Kills the process that owns the roster.
  ///
  /// - Returns: Seconds until the first one was told the whole roster anew, and until everybody was
  ///   and has everybody.
  func kill(owner process: Int) throws -> (first: Double, all: Double) {
    let numbers = try meter.ask("kill \(process)")
    return (numbers[0], numbers[1])
  }

  /// Its process.
  var processID: Int { meter.processID }

  /// Says a line and waits for the numbers that answer it.
  func ask(_ line: String) throws -> [Double] { try meter.ask(line) }

  private func delivery(_ command: String) throws -> Delivery {
    let numbers = try meter.ask(command)
    guard numbers.count == 4 else { throw BenchError.missing("A number of crowd's") }
    return Delivery(
      perSecond: numbers[0], half: numbers[1] / 1_000, most: numbers[2] / 1_000, bytes: numbers[3])
  }

  func end() { meter.end() }

  /// How events came to everybody.
  struct Delivery {
    let perSecond: Double

    /// How long half of the deliveries took from their cause, and 99 of 100, in microseconds.
    let half: Double
    let most: Double

    /// How many bytes one delivery has on the wire.
    let bytes: Double
  }
}

extension Installation {
  /// The process of an instance, as the first gateway sees it.
  func processID(of instance: String) async throws -> Int {
    let services = try await ask(V1.OperatorMethods.getServices, V1.GetServicesRequest())
    guard let found = services.instances.first(where: { $0.instance == instance }) else {
      throw BenchError.missing("The process of \(instance)")
    }
    return Int(found.processID)
  }

  /// Meetings of so many attendees each, of whom nobody is there yet.
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

  /// Runs `body` in a real installation that takes large meetings and lively clients.
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
