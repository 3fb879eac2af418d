/**
 * The Carillon client library for browsers: meeting sessions, sound, video, the roster, data
 * messages, captions and active speakers.
 *
 * ```js
 * const configuration = meetingSessionConfiguration(meetingResponse, attendeeResponse);
 * const { audioVideo } = new MeetingSession(configuration);
 * audioVideo.addRealtimeObserver({ attendeesDidJoin: (list) => console.log(list) });
 * audioVideo.start();
 * ```
 */
export { DeviceController } from "./devices/device-controller.js";
export { AudioDeviceError, VideoDeviceError } from "./devices/media-device.js";
export { meetingSessionConfiguration } from "./meeting/configuration.js";
export { ContentShareStatusCode } from "./meeting/content-share.js";
export { DataMessage, SendDataMessageError } from "./meeting/data-message.js";
export { DefaultActiveSpeakerPolicy } from "./meeting/active-speaker.js";
export { MeetingSession } from "./meeting/meeting-session.js";
export { MeetingSessionStatus, StatusCode } from "./session/status.js";
export {
  baseOfId,
  isContentId,
  RemoteVideoSource,
  VideoPauseState,
  VideoPriority,
  VideoQualityAdaptationPreference,
  VideoResolution,
  VideoSubscriptionConfiguration,
} from "./video/remote-video-source.js";
