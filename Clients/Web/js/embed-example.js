/**
 * A complete embedding page. It shows one meeting with `<carillon-meeting>`, and another meeting in
 * a frame. The page controls the frame with messages.
 */
const server = new URL(document.documentElement.dataset["server"] ?? "/", location.href).origin;
const byId = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));

// The element. When the element is ready, the page lets it join.
const element = byId("element");
element.setAttribute("server", server);
const count = () => (byId("people").textContent = `${element.participants.length + 1}`);
element.addEventListener("ready", () => element.join({ meeting: "tea", name: "Ada", create: true }).catch(console.error));
for (const name of ["joined", "participantJoined", "participantLeft"]) element.addEventListener(name, count);
byId("hello").addEventListener("click", () => element.sendMessage("Hello from the page"));
void import(new URL("/js/embed/carillon-meeting.js", server).href);

// The frame. The page names the target's origin in each message, and checks each message that it
// receives.
const frame = byId("frame");
let lastId = 0;
const command = (/** @type {string} */ name, /** @type {object} */ values = {}) =>
  frame.contentWindow.postMessage({ carillon: 1, id: ++lastId, command: name, ...values }, server);
addEventListener("message", ({ source, origin, data }) => {
  if (source !== frame.contentWindow || origin !== server || data?.carillon !== 1) return;
  if (data.event === "ready") command("join", { meeting: "coffee", name: "Ada", create: true });
  byId("last").textContent = data.event ?? `answer ${data.id}: ${data.status} ${data.message ?? ""}`;
});
frame.src = new URL(`/embed?origin=${encodeURIComponent(location.origin)}#coffee`, server).href;
