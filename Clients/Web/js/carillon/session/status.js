/**
 * The reasons why a session or a connection ended: the codes of the public JavaScript SDK.
 */
export const StatusCode = Object.freeze({
  OK: 0,
  Left: 1,
  AudioJoinedFromAnotherDevice: 2,
  AudioAuthenticationRejected: 3,
  AudioCallAtCapacity: 4,
  MeetingEnded: 5,
  AudioInternalServerError: 6,
  AudioServiceUnavailable: 7,
  AudioDisconnected: 8,
  VideoCallSwitchToViewOnly: 9,
  VideoCallAtSourceCapacity: 10,
  SignalingBadRequest: 11,
  SignalingInternalServerError: 12,
  SignalingRequestFailed: 13,
  SignalingChannelClosedUnexpectedly: 14,
  ConnectionHealthReconnect: 16,
  TaskFailed: 18,
  NoAttendeePresent: 21,
  AudioAttendeeRemoved: 22,
  AudioVideoWasRemovedFromPrimaryMeeting: 23,
  AudioVideoDisconnectedWhilePromoted: 24,
  AudioDisconnectAudio: 25,
});

const names = new Map(Object.entries(StatusCode).map(([name, code]) => [code, name]));

const terminal = new Set([
  StatusCode.Left,
  StatusCode.AudioJoinedFromAnotherDevice,
  StatusCode.AudioAuthenticationRejected,
  StatusCode.AudioCallAtCapacity,
  StatusCode.MeetingEnded,
  StatusCode.AudioDisconnected,
  StatusCode.VideoCallAtSourceCapacity,
  StatusCode.SignalingBadRequest,
  StatusCode.SignalingRequestFailed,
  StatusCode.AudioAttendeeRemoved,
]);

const failures = new Set([
  StatusCode.AudioAuthenticationRejected,
  StatusCode.AudioCallAtCapacity,
  StatusCode.AudioInternalServerError,
  StatusCode.AudioServiceUnavailable,
  StatusCode.AudioDisconnected,
  StatusCode.VideoCallAtSourceCapacity,
  StatusCode.SignalingBadRequest,
  StatusCode.SignalingInternalServerError,
  StatusCode.SignalingRequestFailed,
  StatusCode.SignalingChannelClosedUnexpectedly,
  StatusCode.ConnectionHealthReconnect,
  StatusCode.TaskFailed,
  StatusCode.NoAttendeePresent,
]);

/** A status code and its consequences. */
export class MeetingSessionStatus {
  /** @param {number} statusCode one of `StatusCode` */
  constructor(statusCode) {
    this.statusCode = statusCode;
    Object.freeze(this);
  }

  /** The name of the status code. */
  get name() {
    return names.get(this.statusCode) ?? `${this.statusCode}`;
  }

  /** Whether the session ends without a retry. */
  get isTerminal() {
    return terminal.has(this.statusCode);
  }

  /**
   * Whether the code is a failure. After a failure that is not terminal, the session connects
   * again.
   */
  get isFailure() {
    return failures.has(this.statusCode);
  }
}

/**
 * Returns the status code of a frame's `error.status`.
 * @param {number} status the status, as on the wire; not 0
 */
export function statusOfError(status) {
  switch (status) {
    case 206:
      return StatusCode.VideoCallSwitchToViewOnly;
    case 403:
      return StatusCode.AudioAuthenticationRejected;
    case 409:
      return StatusCode.AudioCallAtCapacity;
    case 509:
      return StatusCode.VideoCallAtSourceCapacity;
  }
  if (status >= 200 && status < 300) return StatusCode.OK;
  if (status >= 400 && status < 500) return StatusCode.SignalingBadRequest;
  if (status >= 500 && status < 600) return StatusCode.SignalingInternalServerError;
  return StatusCode.SignalingRequestFailed;
}

/**
 * Returns the status code of an AUDIO_STATUS frame.
 * @param {number} status the status, as on the wire
 */
export function statusOfAudioStatus(status) {
  switch (status) {
    case 301:
      return StatusCode.AudioJoinedFromAnotherDevice;
    case 302:
      return StatusCode.AudioDisconnectAudio;
    case 403:
      return StatusCode.AudioAuthenticationRejected;
    case 409:
      return StatusCode.AudioCallAtCapacity;
    case 410:
      return StatusCode.MeetingEnded;
    case 411:
      return StatusCode.AudioAttendeeRemoved;
    case 500:
      return StatusCode.AudioInternalServerError;
    case 503:
      return StatusCode.AudioServiceUnavailable;
  }
  return status >= 200 && status < 300 ? StatusCode.OK : StatusCode.AudioDisconnected;
}

/**
 * Returns the status code of a closed socket.
 *
 * For a code that this function does not list, the public SDK reports a rejection if the socket
 * closed before the first INDEX, and nothing if the socket closed later. This client reconnects in
 * both cases: if a gateway dies during a join, the socket closes with 1006, and a retry can
 * succeed.
 * @param {number} code the code in the close frame; 1006 if there was none
 */
export function statusOfClose(code) {
  if (code === 4410) return StatusCode.MeetingEnded;
  if (code === 4403) return StatusCode.AudioAuthenticationRejected;
  if (code >= 4500 && code < 4600) return StatusCode.SignalingInternalServerError;
  if (code >= 4400 && code < 4500) return StatusCode.SignalingBadRequest;
  return StatusCode.SignalingChannelClosedUnexpectedly;
}
