/**
 * The audio metrics that `AudioVideo` reports, computed from the statistics of a peer connection
 * (W3C webrtc-stats).
 *
 * @typedef {object} AudioCounts
 * @property {number} received packets received since the connection began
 * @property {number} lostReceived packets that the server sent and the network lost
 * @property {number} sent packets sent
 * @property {number} lostSent packets that the server reports as lost
 *
 * @typedef {object} AudioMetrics
 * @property {number} audioReceivePacketLossPercent the loss from server to client, 0 to 100
 * @property {number} audioSendPacketLossPercent the loss from client to server, 0 to 100
 */

/** @type {Readonly<AudioCounts>} */
export const noCounts = Object.freeze({ received: 0, lostReceived: 0, sent: 0, lostSent: 0 });

/**
 * Returns the audio packet counts of all reports together.
 * @param {Iterable<any>} reports
 * @returns {AudioCounts}
 */
export function audioCounts(reports) {
  const counts = { ...noCounts };
  for (const report of reports) {
    if (report.kind !== "audio") continue;
    if (report.type === "inbound-rtp") {
      counts.received += report.packetsReceived ?? 0;
      counts.lostReceived += report.packetsLost ?? 0;
    } else if (report.type === "outbound-rtp") counts.sent += report.packetsSent ?? 0;
    else if (report.type === "remote-inbound-rtp") counts.lostSent += report.packetsLost ?? 0;
  }
  return counts;
}

/**
 * Returns the packet loss between two counts.
 * @param {AudioCounts} before
 * @param {AudioCounts} now
 * @returns {AudioMetrics}
 */
export function audioMetrics(before, now) {
  const lost = now.lostReceived - before.lostReceived;
  return {
    audioReceivePacketLossPercent: percent(lost, now.received - before.received + lost),
    audioSendPacketLossPercent: percent(now.lostSent - before.lostSent, now.sent - before.sent),
  };
}

/**
 * @param {number} part negative if packets arrived after an earlier count had included them as lost
 * @param {number} whole
 */
const percent = (part, whole) => (whole > 0 ? Math.min(100, Math.max(0, (100 * part) / whole)) : 0);
