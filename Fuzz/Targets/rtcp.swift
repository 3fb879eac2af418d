import RTP

/// Fuzzes compound RTCP packets.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe FuzzInput.bytes(data, count)
  var reader = RTCPReader()
  var packets = 0
  while let packet = reader.next(in: bytes.span) {
    packets += 1
    read(packet, in: bytes)
  }
  FuzzInput.require(packets * 4 <= bytes.count, "a packet has four bytes at least")
  FuzzInput.require(reader.next(in: bytes.span) == nil, "what has ended stays so")
  return 0
}

private func read(_ packet: RTCPPacket, in bytes: [UInt8]) {
  switch packet {
  case .senderReport(_, let reports), .receiverReport(_, let reports):
    for index in 0..<reports.count {
      writeAgain(reports.block(index, in: bytes.span))
    }
  case .bye(let sources), .estimate(_, let sources):
    for index in 0..<sources.count { _ = sources.source(index, in: bytes.span) }
  case .nack(let list):
    writeAgain(list, in: bytes)
  case .fullIntraRequest(let list):
    for index in 0..<list.count { _ = list.request(index, in: bytes.span) }
  case .congestionFeedback(let feedback):
    feedback.forEach(in: bytes.span) { stream in
      for index in 0..<stream.count {
        guard let age = stream.age(index, in: bytes.span) else { continue }
        FuzzInput.require((0...8_000_000).contains(age), "13 bits say how long ago at most")
      }
    }
  case .transportFeedback(let feedback):
    var packets = 0
    feedback.forEach(in: bytes.span) { _ in packets += 1 }
    FuzzInput.require(packets == feedback.count, "each packet is reported on once")
  case .pictureLoss, .other:
    break
  }
}

private func writeAgain(_ block: ReportBlock) {
  _ = NTPTime.roundTrip(block, at: NTPTime(rawValue: 0x0123_4567_89AB_CDEF))
  var writer = RTCPWriter()
  let blocks = [block]
  writer.addReceiverReport(sender: 1, reports: blocks.span)
  var reader = RTCPReader()
  guard case .receiverReport(1, let again)? = reader.next(in: writer.bytes.span) else {
    fatalError("Broken: a report that was written can be read")
  }
  FuzzInput.require(
    again.block(0, in: writer.bytes.span) == block, "a report block says the same again")
}

private func writeAgain(_ list: NackList, in bytes: [UInt8]) {
  var numbers: [SequenceNumber] = []
  list.forEach(in: bytes.span) { numbers.append($0) }
  var writer = RTCPWriter()
  // A packet's header has 16 bits for the packet's length in words.
  numbers = Array(numbers.prefix(1_000))
  writer.addNack(sender: list.sender, media: list.media, missing: numbers.span)
  var reader = RTCPReader()
  guard case .nack(let again)? = reader.next(in: writer.bytes.span) else {
    fatalError("Broken: a NACK that was written can be read")
  }
  var found: Set<SequenceNumber> = []
  again.forEach(in: writer.bytes.span) { found.insert($0) }
  FuzzInput.require(found == Set(numbers), "a NACK names the same numbers again")
}
