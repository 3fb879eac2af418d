import MeetingModel
import Testing
import Wire

/// Tests of the generated conversions between enums of the contract and enums of the model.
struct ModelEnumTests {
  @Test func `every value of the model survives conversion to the wire and back`() {
    for value in VolumeLevel.allCases { #expect(VolumeLevel(V1.VolumeLevel(value)) == value) }
    for value in SignalStrength.allCases {
      #expect(SignalStrength(V1.SignalStrength(value)) == value)
    }
    for value in StatusCode.allCases { #expect(StatusCode(V1.StatusCode(value)) == value) }
    for value in StatusReason.allCases { #expect(StatusReason(V1.StatusReason(value)) == value) }
    for value in SessionStatusCode.allCases {
      #expect(SessionStatusCode(V1.SessionStatusCode(value)) == value)
    }
    for value in MediaDirection.allCases {
      #expect(MediaDirection(V1.MediaDirection(value)) == value)
    }
    for value in VideoPriority.allCases { #expect(VideoPriority(V1.VideoPriority(value)) == value) }
    for value in VideoCodec.allCases { #expect(VideoCodec(V1.VideoCodec(value)) == value) }
    for value in VideoContentHint.allCases {
      #expect(VideoContentHint(V1.VideoContentHint(value)) == value)
    }
  }

  @Test func `codes and reasons have the same numbers on the wire and in the model`() {
    for code in StatusCode.allCases {
      #expect(V1.StatusCode(code).rawValue == Int32(code.rawValue))
    }
    for reason in StatusReason.allCases {
      #expect(V1.StatusReason(reason).rawValue == Int32(reason.rawValue))
    }
    for code in SessionStatusCode.allCases {
      #expect(V1.SessionStatusCode(code).rawValue == Int32(code.rawValue))
    }
  }

  @Test func `unspecified values are converted to the defaults of the contract`() {
    #expect(MediaDirection(V1.MediaDirection.unspecified) == .sendReceive)
    #expect(AudioMode(V1.AudioMode.unspecified) == .stereo48K)
    #expect(VideoPriority(V1.VideoPriority.unspecified) == .high)
    #expect(VideoContentHint(V1.VideoContentHint.unspecified) == VideoContentHint.none)
    #expect(VolumeLevel(V1.VolumeLevel.unspecified) == nil)
    #expect(VideoCodec(V1.VideoCodec.unspecified) == nil)
  }

  @Test(arguments: [99, -7] as [Int32])
  func `an enum number of a newer version has no value in the model`(number: Int32) {
    #expect(VolumeLevel(V1.VolumeLevel(rawValue: number)) == nil)
    #expect(MediaDirection(V1.MediaDirection(rawValue: number)) == nil)
    #expect(VideoPriority(V1.VideoPriority(rawValue: number)) == nil)
    #expect(StatusCode(V1.StatusCode(rawValue: number)) == nil)
  }
}
