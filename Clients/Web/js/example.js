/** A complete client: joins the meeting `demo`, lists the attendees, and shows their messages. */
import { MeetingSession, meetingSessionConfiguration } from "./carillon/carillon.js";

const list = /** @type {HTMLElement} */ (document.getElementById("roster"));
const last = /** @type {HTMLElement} */ (document.getElementById("last"));

const answer = await fetch("/carillon/v1/web/join", {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ Meeting: "demo", Name: "example", Create: true }),
});
const entry = await answer.json();
const { audioVideo } = new MeetingSession(meetingSessionConfiguration(entry.Meeting, entry.Attendee));

const show = () => {
  const names = [...audioVideo.roster.values()].map(({ displayName }) => displayName);
  list.replaceChildren(...names.map((name) => Object.assign(document.createElement("li"), { textContent: name })));
};
audioVideo.addRealtimeObserver({ attendeesDidJoin: show, attendeesDidLeave: show, attendeesDidDrop: show });
audioVideo.addAudioVideoObserver({
  audioSessionDidStart: () => (last.textContent = "You are in the meeting."),
  audioSessionDidStopWithStatus: (/** @type {{ name: string }} */ { name }) => (last.textContent = name),
});
audioVideo.addRealtimeDataMessageObserver("chat", {
  dataMessageDidReceived: (/** @type {import("./carillon/carillon.js").DataMessage} */ message) =>
    (last.textContent = `${message.senderDisplayName}: ${message.text()}`),
});
audioVideo.start();
