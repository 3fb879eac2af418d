import Foundation

/// A model that decides which attendees should be in the mix. The model uses the sound alone,
/// without packets and levels.
///
/// If the mix is full, an attendee should be in the mix as soon as, for 100 ms, the attendee has
/// been 6 dB louder than the quietest attendee in the mix. Each level is a mean over 100 ms.
struct SeatModel {
  /// The longest uninterrupted sound, in ticks, of an attendee who should have been in the mix but
  /// was missing.
  private(set) var longestLoss = 0
  /// The ticks in which an attendee replaced a similarly loud attendee who was not pausing. A pause
  /// is 60 ms of silence.
  private(set) var swapsOfEquals: [Int] = []

  /// The number of ticks in which the mix was full.
  private(set) var fullTicks = 0

  private let seats: Int
  private var recent: [[Double]]
  private var louderTicks: [Int]
  /// For each attendee, the number of ``louderTicks`` in which the attendee's audible sound was
  /// missing from the mix.
  private var lostTicks: [Int]
  /// The number of ticks since each attendee was last audible.
  private var quietTicks: [Int]
  private var heard: Set<Int> = []
  private var tick = 0

  /// The number of ticks in 100 ms.
  private static let window = 5
  /// The level in dBov below which an attendee need not be in the mix.
  private static let audible = -49.0
  /// The level in dBov below which an attendee is silent.
  private static let silent = -60.0
  /// The number of silent ticks that make a pause.
  private static let pause = 3

  init(attendees: Int, seats: Int = 5) {
    self.seats = seats
    recent = Array(repeating: Array(repeating: 0, count: Self.window), count: attendees)
    louderTicks = Array(repeating: 0, count: attendees)
    lostTicks = louderTicks
    quietTicks = louderTicks
  }

  /// - Parameters:
  ///   - powers: The power of the current 20 ms of each attendee's sound; full scale is 1.
  ///   - mixed: The attendees in the mix now.
  ///   - silent: The attendees who say nothing. Their current sound is concealment after a word.
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

  /// Counts a tick in which an attendee's sound is missing from the mix. The model ignores silent
  /// ticks after a word, although the mean over 100 ms is still high.
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
