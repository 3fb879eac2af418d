import { ActiveSpeakerWatch } from "./active-speaker-watch.js";
import { demandOf } from "../video/video-plan.js";
import { RemoteVideoSource } from "../video/remote-video-source.js";
import { VideoTileController } from "../video/tile-controller.js";
import { outgoingMessage } from "./data-message.js";
import { Observers } from "./observers.js";

/**
 * @typedef {import("../video/remote-video-source.js").VideoSubscriptionConfiguration} Configuration
 */

/**
 * The application's interface to a meeting, with the names of the facade (`AudioVideoFacade` of the
 * original SDK).
 *
 * Observers are objects that implement any of these callbacks:
 * - audio-video: `audioSessionDidStartConnecting(reconnecting)`, `audioSessionDidStart(reconnecting)`,
 *   `audioSessionDidDrop(status)`, `audioSessionDidLoseSound()`, `audioSessionWillRetry(untilMs)`,
 *   `audioSessionDidCancelReconnect()`, `audioSessionDidStopWithStatus(status)`,
 *   `mediaStateDidChange(state)`, `videoSourcesDidChange(index)`,
 *   `remoteVideoSourcesDidBecomeAvailable(sources)`, `remoteVideoSourcesDidBecomeUnavailable(sources)`,
 *   `cameraSendAvailabilityDidChange(isAvailable)`
 * - video tiles: `videoTileDidAdd(state)`, `videoTileDidRemove(state)`, `videoTileDidPause(state)`,
 *   `videoTileDidResume(state)`, `videoTileSizeDidChange(state)`
 * - content shares: `contentShareDidStart()`, `contentShareDidStop(status)`
 * - realtime: `attendeesDidJoin(list)`, `attendeesDidLeave(list)`, `attendeesDidDrop(list)`,
 *   `attendeesDidMute(list)`, `attendeesDidUnmute(list)`, `volumeDidChange(updates)`,
 *   `signalStrengthDidChange(updates)`, `localMuteDidChange()`
 * - a topic: `dataMessageDidReceived(message)`
 * - transcripts: `transcriptEventDidReceive(event)`
 * - devices: `audioDeviceDidChange(devices)`, `audioInputDidChange(track)`, `audioInputDidEnd()`,
 *   `audioPlaybackDidFail(error)`, `videoDeviceDidChange(devices)`, `videoInputDidChange(track)`,
 *   `videoInputDidEnd()`
 * - metrics, once a second: `metricsDidReceive(metrics)`
 * - promotion: `didPromoteToPrimaryMeeting(status)`, `didDemoteFromPrimaryMeeting(status)`
 */
export class AudioVideo {
  #engine;
  #audioVideo = new Observers();
  #realtime = new Observers();
  #transcripts = new Observers();
  #metrics = new Observers();
  /** @type {Map<string, Observers>} */
  #topics = new Map();
  /** @type {Map<object, ActiveSpeakerWatch>} */
  #speakers = new Map();
  /** @type {import("./session-engine.js").PromotionObserver | null} */
  #promotion = null;
  #devices;
  #content;
  #tiles;
  /** @type {Map<string, RemoteVideoSource>} */
  #sources = new Map();
  #camera = {
    videoInputDidChange: (/** @type {MediaStreamTrack | null} */ track) => this.#cameraChanged(track),
    videoInputDidEnd: () => this.stopLocalVideo(),
  };

  /**
   * @param {import("./session-engine.js").SessionEngine} engine runs the session
   * @param {import("../devices/device-controller.js").DeviceController} devices
   * @param {import("./content-share.js").ContentShareController} content
   */
  constructor(engine, devices, content) {
    this.#engine = engine;
    this.#devices = devices;
    this.#content = content;
    this.#tiles = new VideoTileController(engine.state.options.attendeeId, (groupId, isPaused) =>
      engine.dispatch({ type: "pauseVideo", groupId, isPaused }),
    );
    engine.notice = (notice) => this.#notice(notice);
    engine.measured = (metrics) =>
      this.#metrics.tell("metricsDidReceive", { ...metrics, ...this.#downlink(metrics), ...content.metrics });
  }

  /** Joins the meeting. A stopped session can start again. */
  start() {
    this.#devices.addDeviceChangeObserver(this.#camera);
    this.#devices.mute(this.isLocalMuted);
    void this.#devices.setVoiceFocusEnabled(false);
    this.#engine.dispatch({ type: "start" });
  }

  /**
   * Leaves the meeting. The session calls `audioSessionDidStopWithStatus` when the session has
   * stopped.
   */
  stop() {
    this.#engine.dispatch({ type: "stop" });
  }

  /** The attendees in the meeting by attendee id, including the local attendee. */
  get roster() {
    return this.#engine.state.roster.attendees;
  }

  /**
   * The number of milliseconds by which the server's wall clock is ahead of the local wall clock.
   */
  get clockSkewMs() {
    return this.#engine.state.clockSkewMs;
  }

  /** Whether the local microphone is muted, by this client or by someone else. */
  get isLocalMuted() {
    return this.#engine.state.isMuted || this.#engine.state.isMutedByOther;
  }

  /** Whether someone else muted the local microphone. */
  get isLocalMutedByOther() {
    return this.#engine.state.isMutedByOther;
  }

  /**
   * Whether the session is reconnecting and still plays the sound of its former connection. The
   * session calls `audioSessionDidLoseSound` when this sound ends before the session is connected
   * again.
   */
  get isSoundHeld() {
    return this.#engine.state.held !== null;
  }

  /** Mutes the microphone. All attendees see the change. */
  realtimeLocalMute() {
    return this.#mute(true);
  }

  /** Unmutes the microphone. All attendees see the change. */
  realtimeLocalUnmute() {
    return this.#mute(false);
  }

  /**
   * Turns noise suppression of the local microphone on or off. Noise suppression is off at each
   * start.
   * @param {boolean} isEnabled
   * @returns {Promise<boolean>} whether the setting took effect; `false` before the start
   */
  async realtimeSetVoiceFocusEnabled(isEnabled) {
    return this.#isStarted && this.#devices.setVoiceFocusEnabled(isEnabled);
  }

  /** Whether noise suppression of the local microphone is on. */
  realtimeIsVoiceFocusEnabled() {
    return this.#isStarted && this.#devices.isVoiceFocusEnabled;
  }

  /** Lists microphones, then speakers; see {@link DeviceController}. */
  listAudioDevices() {
    return this.#devices.listAudioDevices();
  }

  /**
   * Selects a microphone or a speaker. The choice also applies after a reconnection.
   * @param {import("../devices/media-device.js").MediaDevice | MediaStreamTrack | null} device `null`
   *   for no microphone
   * @throws {import("../devices/media-device.js").AudioDeviceError}
   */
  chooseAudioDevice(device) {
    return this.#devices.chooseAudioDevice(device);
  }

  /**
   * @param {import("../devices/media-device.js").AudioDeviceKind} [kind] the microphone by default
   */
  getActiveAudioDevice(kind) {
    return this.#devices.getActiveAudioDevice(kind);
  }

  /** @param {Record<string, any>} observer */
  addDeviceChangeObserver(observer) {
    this.#devices.addDeviceChangeObserver(observer);
  }

  /** @param {Record<string, any>} observer */
  removeDeviceChangeObserver(observer) {
    this.#devices.removeDeviceChangeObserver(observer);
  }

  /** @param {HTMLMediaElement} element plays the mix */
  bindAudioElement(element) {
    this.#devices.bindAudioElement(element);
  }

  /** Plays the mix in an invisible element again, and no longer in the bound element. */
  unbindAudioElement() {
    this.#devices.unbindAudioElement();
  }

  /**
   * Starts playback after `audioPlaybackDidFail`. Call this method in the handler of a user's
   * click.
   */
  startAudioPlayback() {
    return this.#devices.startAudioPlayback();
  }

  /** Lists cameras. */
  listVideoDevices() {
    return this.#devices.camera.list();
  }

  /**
   * Selects a camera. The selected camera replaces an open camera without a new offer.
   * @param {import("../devices/media-device.js").MediaDevice | null} device `null` for the browser's choice
   * @throws {import("../devices/media-device.js").VideoDeviceError}
   */
  chooseVideoDevice(device) {
    return this.#devices.camera.choose(device);
  }

  /**
   * The camera that the caller last chose, or `null` if the caller left the choice to the browser.
   */
  getActiveCamera() {
    return this.#devices.camera.device;
  }

  /**
   * Sends the camera's video, or a track of the application. If the camera is not open, this method
   * opens the camera. Outside a session, this method only opens the camera.
   * @param {MediaStreamTrack} [source]
   * @throws {import("../devices/media-device.js").VideoDeviceError}
   */
  async startLocalVideo(source) {
    if (source) this.#devices.camera.use(source);
    else await this.#devices.camera.open();
    if (this.#devices.videoTrack) this.#engine.dispatch({ type: "sendVideo", isSending: true });
  }

  /** Stops sending video and releases the camera. */
  stopLocalVideo() {
    this.#engine.dispatch({ type: "sendVideo", isSending: false });
    if (this.#devices.videoTrack) this.#devices.camera.close();
  }

  /**
   * Starts to receive at most 25 videos: the videos that `updateVideoSourceSubscriptions` chose, or
   * all videos if the application has not called that method.
   */
  startRemoteVideo() {
    this.#engine.dispatch({ type: "receiveVideo", isReceiving: true });
  }

  /** Stops receiving videos. */
  stopRemoteVideo() {
    this.#engine.dispatch({ type: "receiveVideo", isReceiving: false });
  }

  /**
   * Chooses the videos to receive and their quality. The first call ends the subscription to all
   * videos. A later call changes only the sources in its arguments.
   * @param {ReadonlyMap<RemoteVideoSource, Configuration>} addedOrUpdated
   * @param {readonly RemoteVideoSource[]} [removed]
   */
  updateVideoSourceSubscriptions(addedOrUpdated, removed = []) {
    const demands = new Map([...addedOrUpdated].map(([{ attendeeId }, wish]) => [attendeeId, demandOf(wish)]));
    const ids = removed.map(({ attendeeId }) => attendeeId);
    this.#engine.dispatch({ type: "subscribeVideo", addedOrUpdated: demands, removed: ids });
  }

  /** The states of all video tiles. */
  get videoTiles() {
    return this.#tiles.states;
  }

  /**
   * The layers that this client's camera sent during the last second, smallest first. Empty
   * while no camera sends.
   */
  get sentVideoLayers() {
    return this.#engine.sentLayers;
  }

  /**
   * For each remote video, the layer that arrived during the last second, by attendee id. A paused
   * video has no layer; the `pauseState` of the tile states the reason.
   */
  get receivedVideoLayers() {
    return this.#engine.receivedLayers;
  }

  /**
   * Shows a tile in an element.
   * @param {HTMLVideoElement} videoView an element with `autoplay`, `playsinline` and `muted`
   * @param {number} tileId
   */
  bindVideoView(videoView, tileId) {
    this.#tiles.bind(videoView, tileId);
  }

  /** @param {number} tileId the tile to remove from its element */
  unbindVideoView(tileId) {
    this.#tiles.unbind(tileId);
  }

  /**
   * Returns the video track of a tile, or `null`. A track can play in further elements. When the
   * session reconnects, the tile gets another track.
   * @param {number} tileId
   * @returns {MediaStreamTrack | null}
   */
  videoTrack(tileId) {
    return this.#tiles.trackOf(tileId);
  }

  /** @param {number} tileId the tile of a remote video; the server stops forwarding this video */
  pauseRemoteVideoTile(tileId) {
    this.#tiles.pause(tileId, true);
  }

  /** @param {number} tileId the tile that `pauseRemoteVideoTile` paused */
  resumeRemoteVideoTile(tileId) {
    this.#tiles.pause(tileId, false);
  }

  /** @param {Record<string, any>} observer */
  addVideoTileObserver(observer) {
    this.#tiles.observers.add(observer);
  }

  /** @param {Record<string, any>} observer */
  removeVideoTileObserver(observer) {
    this.#tiles.observers.remove(observer);
  }

  /**
   * Shares a screen that the user chooses, or a stream of the application. The share has its own
   * connection, and continues after a call of `stop`.
   * @param {MediaStream} [source]
   * @throws {import("../devices/media-device.js").VideoDeviceError} if the user chooses no screen
   */
  startContentShare(source) {
    return this.#content.start(source);
  }

  /** Whether this client shares a screen, or sets up the connection of a share. */
  get isSharingContent() {
    return this.#content.isSharing;
  }

  /** Ends the share, or cancels a share that has not started. */
  stopContentShare() {
    this.#content.stop();
  }

  /** @param {Record<string, any>} observer */
  addContentShareObserver(observer) {
    this.#content.observers.add(observer);
  }

  /** @param {Record<string, any>} observer */
  removeContentShareObserver(observer) {
    this.#content.observers.remove(observer);
  }

  /** @param {Record<string, any>} observer */
  addMetricsObserver(observer) {
    this.#metrics.add(observer);
  }

  /** @param {Record<string, any>} observer */
  removeMetricsObserver(observer) {
    this.#metrics.remove(observer);
  }

  /**
   * Sends a message to all other attendees. While the session reconnects, the client queues up to
   * 64 messages.
   * @param {string} topic 1-36 letters, digits, `-` and `_`
   * @param {unknown} data a string, bytes, or an array or object that the session sends as JSON
   * @param {number} [lifetimeMs] how long the meeting keeps the message for attendees who join
   *   later; at most 300,000 ms
   * @throws {import("./data-message.js").SendDataMessageError}
   */
  realtimeSendDataMessage(topic, data, lifetimeMs = 0) {
    this.#engine.dispatch({ type: "send", message: outgoingMessage(topic, data, lifetimeMs) });
  }

  /**
   * Requests the promotion of the local attendee from the replica to the replica's primary meeting.
   * @param {import("../session/state.js").PrimaryCredentials} credentials the credentials of an
   *   attendee of the primary meeting
   * @param {import("./session-engine.js").PromotionObserver} observer called once, with the
   *   promotion or with the refusal
   */
  promoteToPrimaryMeeting(credentials, observer) {
    if (this.#engine.state.promotion) {
      throw new Error("A promotion is under way; end it with demoteFromPrimaryMeeting first.");
    }
    this.#promotion = observer;
    this.#engine.dispatch({ type: "promote", credentials });
  }

  /** Returns from the primary meeting to the replica. */
  demoteFromPrimaryMeeting() {
    this.#engine.dispatch({ type: "demote" });
  }

  /** @param {Record<string, any>} observer */
  addAudioVideoObserver(observer) {
    this.#audioVideo.add(observer);
  }

  /** @param {Record<string, any>} observer */
  removeAudioVideoObserver(observer) {
    this.#audioVideo.remove(observer);
  }

  /** @param {Record<string, any>} observer */
  addRealtimeObserver(observer) {
    this.#realtime.add(observer);
  }

  /** @param {Record<string, any>} observer */
  removeRealtimeObserver(observer) {
    this.#realtime.remove(observer);
  }

  /**
   * @param {string} topic the exact topic
   * @param {Record<string, any>} observer
   */
  addRealtimeDataMessageObserver(topic, observer) {
    const observers = this.#topics.get(topic) ?? new Observers();
    observers.add(observer);
    this.#topics.set(topic, observers);
  }

  /** @param {string} topic the topic whose observers the session removes */
  removeRealtimeDataMessageObserverFromTopic(topic) {
    this.#topics.delete(topic);
  }

  /** @param {Record<string, any>} observer */
  addRealtimeTranscriptEventObserver(observer) {
    this.#transcripts.add(observer);
  }

  /** @param {Record<string, any>} observer */
  removeRealtimeTranscriptEventObserver(observer) {
    this.#transcripts.remove(observer);
  }

  /**
   * @param {import("./active-speaker.js").DefaultActiveSpeakerPolicy} policy a separate policy for
   *   each observer
   * @param {import("./active-speaker-watch.js").ActiveSpeakerObserver} observer
   */
  addActiveSpeakerObserver(policy, observer) {
    this.removeActiveSpeakerObserver(observer);
    const watch = new ActiveSpeakerWatch(policy, observer, (id) => this.roster.get(id));
    this.#speakers.set(observer, watch);
  }

  /** @param {import("./active-speaker-watch.js").ActiveSpeakerObserver} observer */
  removeActiveSpeakerObserver(observer) {
    this.#speakers.get(observer)?.stop();
    this.#speakers.delete(observer);
  }

  /**
   * Returns the server's estimate of the bandwidth to this client while the session receives
   * videos.
   * @param {import("./peer.js").Metrics} metrics
   * @returns {{ videoAvailableReceiveBandwidth?: number }}
   */
  #downlink({ videoReceiveBitrate }) {
    const { downlink } = this.#engine.state.video;
    if (videoReceiveBitrate === undefined || !downlink) return {};
    return { videoAvailableReceiveBandwidth: downlink };
  }

  get #isStarted() {
    const { phase } = this.#engine.state;
    return phase === "connecting" || phase === "connected" || phase === "waiting";
  }

  /** @param {boolean} isMuted */
  #mute(isMuted) {
    if (!this.#isStarted) return false;
    this.#engine.dispatch({ type: "mute", isMuted });
    return true;
  }

  /** @param {import("../session/state.js").Notice} notice */
  #notice(notice) {
    switch (notice.type) {
      case "connecting":
        return this.#audioVideo.tell("audioSessionDidStartConnecting", notice.isReconnecting);
      case "started":
        return this.#audioVideo.tell("audioSessionDidStart", notice.isReconnecting);
      case "dropped":
        return this.#audioVideo.tell("audioSessionDidDrop", notice.status);
      case "waiting":
        return this.#audioVideo.tell("audioSessionWillRetry", notice.untilMs);
      case "soundLost":
        return this.#audioVideo.tell("audioSessionDidLoseSound");
      case "reconnectCancelled":
        return this.#audioVideo.tell("audioSessionDidCancelReconnect");
      case "stopped":
        this.#sources.clear();
        this.#localVideoChanged(false);
        this.#devices.removeDeviceChangeObserver(this.#camera);
        return this.#audioVideo.tell("audioSessionDidStopWithStatus", notice.status);
      case "mediaChanged":
        return this.#audioVideo.tell("mediaStateDidChange", notice.media);
      case "index":
        return this.#audioVideo.tell("videoSourcesDidChange", notice.index);
      case "videoSources":
        return this.#sourcesChanged(notice.available, notice.unavailable);
      case "receptions":
        return this.#tiles.showRemote(notice.receptions, (groupId) => this.#engine.trackOf(groupId));
      case "localVideo":
        return this.#localVideoChanged(notice.isSending);
      case "cameraAvailability":
        return this.#audioVideo.tell("cameraSendAvailabilityDidChange", notice.isAvailable);
      case "localVideoAccepted":
        return;
      case "localMuteChanged":
        this.#devices.mute(this.isLocalMuted);
        return this.#realtime.tell("localMuteDidChange");
      case "roster":
        return this.#roster(notice.changes);
      case "message":
        return this.#topics.get(notice.message.topic)?.tell("dataMessageDidReceived", notice.message);
      case "transcript":
        return this.#transcripts.tell("transcriptEventDidReceive", notice.event);
      case "promoted":
        return this.#promoted(notice.status);
      case "demoted":
        return this.#demoted(notice.status);
      case "log":
        return;
    }
  }

  /**
   * @param {readonly string[]} available attendee ids
   * @param {readonly string[]} unavailable
   */
  #sourcesChanged(available, unavailable) {
    const gone = unavailable.flatMap((id) => this.#sources.get(id) ?? []);
    for (const id of unavailable) this.#sources.delete(id);
    if (gone.length) this.#audioVideo.tell("remoteVideoSourcesDidBecomeUnavailable", gone);
    const added = available.map((id) => new RemoteVideoSource(id));
    for (const source of added) this.#sources.set(source.attendeeId, source);
    if (added.length) this.#audioVideo.tell("remoteVideoSourcesDidBecomeAvailable", added);
  }

  /** @param {boolean} isSending */
  #localVideoChanged(isSending) {
    this.#tiles.showLocal(isSending ? this.#devices.videoTrack : null);
    if (!isSending && this.#devices.videoTrack) this.#devices.camera.close();
  }

  /** @param {MediaStreamTrack | null} track */
  #cameraChanged(track) {
    if (track && this.#engine.state.video.isSending) this.#tiles.showLocal(track);
  }

  /** @param {import("./roster.js").RosterChanges} changes */
  #roster(changes) {
    /** @type {[string, unknown[]][]} */
    const news = [
      ["attendeesDidJoin", changes.joined],
      ["attendeesDidLeave", changes.left],
      ["attendeesDidDrop", changes.dropped],
      ["attendeesDidMute", changes.muted],
      ["attendeesDidUnmute", changes.unmuted],
      ["volumeDidChange", changes.volumes],
      ["signalStrengthDidChange", changes.signals],
    ];
    for (const [name, list] of news) if (list.length) this.#realtime.tell(name, list);
    for (const watch of this.#speakers.values()) watch.take(changes, performance.now());
  }

  /** @param {import("../session/status.js").MeetingSessionStatus} status */
  #promoted(status) {
    const observer = this.#promotion;
    if (status.statusCode !== 0) this.#promotion = null;
    observer?.didPromoteToPrimaryMeeting(status);
  }

  /** @param {import("../session/status.js").MeetingSessionStatus} status */
  #demoted(status) {
    this.stopContentShare();
    const observer = this.#promotion;
    this.#promotion = null;
    observer?.didDemoteFromPrimaryMeeting(status);
  }
}
