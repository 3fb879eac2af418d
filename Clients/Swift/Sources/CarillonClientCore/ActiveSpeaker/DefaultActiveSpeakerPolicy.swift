public import Foundation
import Synchronization

/// A policy whose scores rise while an attendee speaks, fall slowly during silence, and fall fast
/// while another attendee speaks.
public final class DefaultActiveSpeakerPolicy: NSObject, ActiveSpeakerPolicy, Sendable {
  /// The default share of a score that remains at each new volume: 0.9.
  public static let defaultSpeakerWeight = 0.9

  /// The default threshold. The policy reports a score below the threshold as 0.
  public static let defaultCutoffThreshold = 0.01

  /// The default amount by which the scores of all other attendees fall each time an attendee
  /// speaks.
  public static let defaultTakeoverRate = 0.2

  private let speakerWeight: Double
  private let cutoffThreshold: Double
  private let takeoverRate: Double
  private let scores = Mutex<[String: Double]>([:])

  public convenience override init() {
    self.init(speakerWeight: Self.defaultSpeakerWeight)
  }

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - speakerWeight: The share of a score that remains at each new volume, 0 to 1.
  ///   - cutoffThreshold: The threshold below which the policy reports a score as 0.
  ///   - takeoverRate: The amount by which all other scores fall each time an attendee speaks.
  public init(
    speakerWeight: Double = defaultSpeakerWeight,
    cutoffThreshold: Double = defaultCutoffThreshold, takeoverRate: Double = defaultTakeoverRate
  ) {
    self.speakerWeight = speakerWeight
    self.cutoffThreshold = cutoffThreshold
    self.takeoverRate = takeoverRate
  }

  public func calculateScore(attendeeInfo: AttendeeInfo, volume: VolumeLevel) -> Double {
    let id = attendeeInfo.attendeeId
    let isSpeaking = volume != .muted && volume != .notSpeaking
    let score = scores.withLock { scores in
      let share = isSpeaking ? 1 - speakerWeight : 0
      let score = scores[id, default: 0] * speakerWeight + share
      if isSpeaking {
        scores = scores.mapValues { max($0 - takeoverRate, 0) }
      }
      scores[id] = score
      return score
    }
    return score < cutoffThreshold ? 0 : score
  }

  public func prioritizeVideoSendBandwidthForActiveSpeaker() -> Bool { true }
}
