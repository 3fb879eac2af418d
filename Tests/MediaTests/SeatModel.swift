import Foundation

/// Who should be heard, by the sound itself: nothing here knows of packets and what they say.
///
/// An attendee is to be heard once it has been louder by 6 dB for 100 ms than the fifth of those
/// who are mixed, each by its mean of 100 ms.
struct SeatModel {
  /// The most ticks of sound in a row of somebody who should have been heard and was not.
  private(set) var longestLoss = 0
  /// The ticks in which somebody took the seat of one who was about as loud, and who was not
  /// pausing: in a pause of 60 ms nobody is loud.
  private(set) var swapsOfEquals: [Int] = []

  /// The ticks in which all seats were taken.
  private(set) var fullTicks = 0

  private let seats: Int
  private var recent: [[Double]]
  private var louderTicks: [Int]
  /// The ticks of sound that were not heard, of those in `louderTicks`.
  private var lostTicks: [Int]
  /// How many ticks ago somebody was not silent.
  private var quietTicks: [Int]
  private var heard: Set<Int> = []
  private var tick = 0

  /// How many ticks 100 ms are.
  private static let window = 5
  /// Whoever is less loud, in dBov, needs no seat.
  private static let audible = -49.0
  /// Whoever is less loud, in dBov, is silent.
  private static let silent = -60.0
  /// How many ticks of silence are a pause.
  private static let pause = 3

  init(attendees: Int, seats: Int = 5) {
    self.seats = seats
    recent = Array(repeating: Array(repeating: 0, count: Self.window), count: attendees)
    louderTicks = Array(repeating: 0, count: attendees)
    lostTicks = louderTicks
    quietTicks = louderTicks
  }

  /// - Parameters:
  ///   - powers: Of each attendee's 20 ms that are played now; full scale has 1.
  ///   - mixed: Who is in the mix now.
  ///   - silent: Who says nothing: what is played of them is made up behind a word.
  mutating func take(_ powers: [Double], mixed: Set<Int>, silent: Set<Int>) {
    for (index, power) in powers.enumerated() {
      recent[index][tick % Self.window] = power
      quietTicks[index] = Self.decibels(power) < Self.silent ? quietTicks[index] + 1 : 0
    }
    let levels = recent.map { Self.decibels($0.reduce(0, +) / Double(Self.window)) }
    let fifth = mixed.count < seats ? -127 : mixed.map { levels[$0] }.min() ?? -127
    for (index, level) in levels.enumerated() {
      let isLouder = level >= fifth + 6 && level >= Self.audible && !mixed.contains(index)
      louderTicks[index] = isLouder ? louderTicks[index] + 1 : 0
      noteLoss(of: index, silent.contains(index) ? -127 : Self.decibels(powers[index]))
    }
    noteSwap(levels, mixed)
    if mixed.count == seats { fullTicks += 1 }
    tick += 1
  }

  /// The mean of 100 ms is loud for some ticks behind a word. Nothing of them is lost.
  private mutating func noteLoss(of index: Int, _ level: Double) {
    if louderTicks[index] == 0 { lostTicks[index] = 0 }
    guard louderTicks[index] > Self.window, level >= Self.audible else { return }
    lostTicks[index] += 1
    longestLoss = max(longestLoss, lostTicks[index])
  }

  private mutating func noteSwap(_ levels: [Double], _ mixed: Set<Int>) {
    defer { heard = mixed }
    guard heard.count == seats, mixed.count == seats else { return }
    let gained = mixed.subtracting(heard).map { levels[$0] }.min() ?? 0
    let speaking = heard.subtracting(mixed).filter { quietTicks[$0] < Self.pause }
    let lost = speaking.map { levels[$0] }.max() ?? -127
    if gained < lost + 3 { swapsOfEquals.append(tick) }
  }

  private static func decibels(_ power: Double) -> Double {
    power > 0 ? max(-127, 10 * log10(power)) : -127
  }
}
