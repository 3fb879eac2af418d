/**
 * The video metrics that `AudioVideo` reports, computed from the statistics of a peer connection
 * (W3C webrtc-stats). The names are the same as in the other clients. Rates are in bit/s, losses in
 * percent, times in milliseconds.
 *
 * @typedef {object} VideoCounts
 * @property {number} atMs the browser's timestamp of the counts, in milliseconds
 * @property {boolean} isSending whether the browser sends a layer of the camera or screen
 * @property {boolean} isReceiving whether the browser receives a video
 * @property {number} sentBytes bytes sent since the connection began
 * @property {number} sentPackets
 * @property {number} lostSent packets that the server reports as lost
 * @property {number} sentFrames frames of the layer that sent the most frames
 * @property {number} receivedBytes
 * @property {number} receivedPackets
 * @property {number} lostReceived packets that the server sent and the network lost
 * @property {number | undefined} roundTripMs the round-trip time to the server
 * @property {number | undefined} sendBandwidth the browser's estimate of its uplink, in bit/s
 *
 * @typedef {object} VideoMetrics the metrics that the browser reports. Send metrics exist only
 *   while the camera sends. Receive metrics exist only while the session receives a video.
 * @property {number} [videoAvailableSendBandwidth] the estimated uplink
 * @property {number} [videoSendBitrate] the bitrate of all layers of the camera
 * @property {number} [videoSendPacketLossPercent]
 * @property {number} [videoSendFps]
 * @property {number} [videoSendRttMs]
 * @property {number} [videoReceiveBitrate] the bitrate of all videos
 * @property {number} [videoReceivePacketLossPercent]
 */

/**
 * @typedef {object} ContentMetrics the send metrics of a shared screen
 * @property {number} [contentShareVideoSendBitrate]
 * @property {number} [contentShareVideoSendPacketLossPercent]
 * @property {number} [contentShareVideoSendFps]
 * @property {number} [contentShareVideoSendRttMs]
 */

/** @type {Readonly<VideoCounts>} */
export const noVideoCounts = Object.freeze({
  atMs: 0,
  isSending: false,
  isReceiving: false,
  sentBytes: 0,
  sentPackets: 0,
  lostSent: 0,
  sentFrames: 0,
  receivedBytes: 0,
  receivedPackets: 0,
  lostReceived: 0,
  roundTripMs: undefined,
  sendBandwidth: undefined,
});

/**
 * Returns the video counts of all reports together.
 * @param {Iterable<any>} reports
 * @returns {VideoCounts}
 */
export function videoCounts(reports) {
  const counts = { ...noVideoCounts };
  for (const report of reports) {
    counts.atMs = Math.max(counts.atMs, report.timestamp ?? 0);
    if (report.type === "candidate-pair") addPath(counts, report);
    else if (report.kind === "video") addStream(counts, report);
  }
  return counts;
}

/**
 * @param {VideoCounts} counts
 * @param {any} report
 */
function addPath(counts, { nominated, currentRoundTripTime, availableOutgoingBitrate }) {
  if (!nominated) return;
  if (currentRoundTripTime !== undefined) counts.roundTripMs = currentRoundTripTime * 1_000;
  counts.sendBandwidth = availableOutgoingBitrate ?? counts.sendBandwidth;
}

/**
 * @param {VideoCounts} counts
 * @param {any} report
 */
function addStream(counts, report) {
  if (report.type === "inbound-rtp") {
    counts.isReceiving = true;
    counts.receivedBytes += report.bytesReceived ?? 0;
    counts.receivedPackets += report.packetsReceived ?? 0;
    counts.lostReceived += report.packetsLost ?? 0;
  } else if (report.type === "outbound-rtp") {
    counts.isSending ||= report.active ?? true;
    counts.sentBytes += report.bytesSent ?? 0;
    counts.sentPackets += report.packetsSent ?? 0;
    counts.sentFrames = Math.max(counts.sentFrames, report.framesSent ?? 0);
  } else if (report.type === "remote-inbound-rtp") counts.lostSent += report.packetsLost ?? 0;
}

/**
 * Returns the metrics between two counts.
 * @param {VideoCounts} before
 * @param {VideoCounts} now
 * @param {{ isSending: boolean, isReceiving: boolean }} activity whether the session sends or
 *   receives video
 * @returns {VideoMetrics}
 */
export function videoMetrics(before, now, { isSending, isReceiving }) {
  const seconds = (now.atMs - before.atMs) / 1_000;
  // The first counts cover the whole time since the connection began, so no rate follows from these
  // counts.
  if (before.atMs === 0 || seconds <= 0) return {};
  return {
    ...(isSending && now.isSending && sendMetrics(before, now, seconds)),
    ...(isReceiving && now.isReceiving && receiveMetrics(before, now, seconds)),
  };
}

/**
 * @param {VideoCounts} before
 * @param {VideoCounts} now
 * @param {number} seconds the seconds between the two counts
 * @returns {VideoMetrics}
 */
const sendMetrics = (before, now, seconds) => ({
  videoSendBitrate: rate(before.sentBytes, now.sentBytes, seconds) * 8,
  videoSendFps: rate(before.sentFrames, now.sentFrames, seconds),
  videoSendPacketLossPercent: percent(now.lostSent - before.lostSent, now.sentPackets - before.sentPackets),
  ...(now.roundTripMs !== undefined && { videoSendRttMs: now.roundTripMs }),
  ...(now.sendBandwidth !== undefined && { videoAvailableSendBandwidth: now.sendBandwidth }),
});

/**
 * @param {VideoCounts} before
 * @param {VideoCounts} now
 * @param {number} seconds the seconds between the two counts
 * @returns {VideoMetrics}
 */
function receiveMetrics(before, now, seconds) {
  const lost = now.lostReceived - before.lostReceived;
  return {
    videoReceiveBitrate: rate(before.receivedBytes, now.receivedBytes, seconds) * 8,
    videoReceivePacketLossPercent: percent(lost, now.receivedPackets - before.receivedPackets + lost),
  };
}

/**
 * @param {number} before
 * @param {number} now smaller than `before` if a section stopped, because the counts of the section
 *   disappear
 * @param {number} seconds the seconds between the two counts
 */
const rate = (before, now, seconds) => Math.max(0, now - before) / seconds;

/**
 * @param {number} part negative if packets arrived after an earlier count had included them as lost
 * @param {number} whole
 */
const percent = (part, whole) => (whole > 0 ? Math.min(100, Math.max(0, (100 * part) / whole)) : 0);

/** The names of the send metrics of a shared screen. */
const CONTENT_NAMES = /** @type {const} */ ([
  ["videoSendBitrate", "contentShareVideoSendBitrate"],
  ["videoSendPacketLossPercent", "contentShareVideoSendPacketLossPercent"],
  ["videoSendFps", "contentShareVideoSendFps"],
  ["videoSendRttMs", "contentShareVideoSendRttMs"],
]);

/**
 * Returns the metrics of a share's connection under the names of a content share's metrics.
 * @param {VideoMetrics} metrics the metrics of the share's connection
 * @returns {ContentMetrics}
 */
export const contentMetrics = (metrics) =>
  Object.fromEntries(
    CONTENT_NAMES.flatMap(([name, ofContent]) => (metrics[name] === undefined ? [] : [[ofContent, metrics[name]]])),
  );
