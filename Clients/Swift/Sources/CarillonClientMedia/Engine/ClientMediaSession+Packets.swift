internal import CarillonClientCore
internal import MeetingModel
internal import RTP

/// The handling of received and sent packets.
extension ClientMediaSession {
  /// Handles a received packet, on the media thread.
  func receive(_ bytes: Span<UInt8>) {
    if RTPPacket.isRTCP(bytes) { return receiveControl(bytes) }
    guard let packet = RTPPacket(bytes), let format = place?.format else { return }
    if !tracks.isEmpty { arrivals.receive(packet.ssrc, packet.sequence, at: now) }
    if packet.ssrc == format.audioReceived, packet.payloadType == format.opus {
      receiver?.receive(packet, bytes, at: now)
    } else if packet.payloadType == format.vp8 {
      receiveVideo(packet, .vp8, bytes)
    } else if packet.payloadType == format.h264 {
      receiveVideo(packet, .h264, bytes)
    }
  }

  private func receiveControl(_ bytes: Span<UInt8>) {
    var reader = RTCPReader()
    while let packet = reader.next(in: bytes) {
      switch packet {
      case .senderReport(let report, let blocks):
        if report.ssrc == place?.format.audioReceived {
          receiver?.receive(report, at: now)
        } else {
          received[report.ssrc]?.receiver.receive(report, at: now)
        }
        read(blocks, bytes)
      case .receiverReport(_, let blocks): read(blocks, bytes)
      case .nack(let list): resend(list, bytes)
      case .pictureLoss(_, let media): requestKeyFrame(of: media)
      case .fullIntraRequest(let list):
        for index in 0..<list.count { requestKeyFrame(of: list.request(index, in: bytes).media) }
      case .congestionFeedback(let feedback): takeFeedback(feedback, bytes)
      case .bye, .estimate, .transportFeedback, .other: break
      }
    }
  }

  private func read(_ blocks: ReportBlocks, _ bytes: Span<UInt8>) {
    for index in 0..<blocks.count {
      guard let trip = NTPTime.roundTrip(blocks.block(index, in: bytes), at: ntpTime) else {
        continue
      }
      roundTrip = trip
    }
  }

  /// The monotonic time since an arbitrary start. Callers use only differences between two times.
  var ntpTime: NTPTime { NTPTime(microsecondsSince1970: UInt64(max(0, now.microseconds))) }

  // MARK: Audio

  func tickAudio() {
    if let sender, let connection {
      sender.tick(isMuted: isMuted, isListenedTo: connection.isBound) { connection.send($0) }
    }
    receiver?.tick(at: now)
  }

  // MARK: Reports

  /// Sends the sender and receiver reports, about once a second.
  func sendReports() {
    guard let connection, connection.isBound, let format = place?.format else { return }
    var blocks: [ReportBlock] = []
    if let receiver, receiver.hasPackets {
      blocks.append(receiver.takeReport(ssrc: format.audioReceived, at: now))
    }
    for ssrc in received.keys.sorted() where blocks.count < RTCPWriter.maximumReportBlocks {
      if let block = received[ssrc]?.receiver.takeReport(at: now) { blocks.append(block) }
    }
    reports.clear()
    // A compound packet begins with a report. The first report carries the report blocks.
    let senders =
      [sender?.report(at: ntpTime)].compactMap(\.self) + streams.map { $0.report(at: ntpTime) }
    if senders.isEmpty {
      reports.addReceiverReport(sender: format.audioSent, reports: blocks.span)
    }
    for (index, report) in senders.enumerated() {
      if index == 0 {
        reports.addSenderReport(report, reports: blocks.span)
      } else {
        reports.addSenderReport(report, reports: Span())
      }
    }
    connection.send(reports.bytes.span)
  }
}
