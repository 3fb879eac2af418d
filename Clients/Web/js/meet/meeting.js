/** The modules of the meeting page. They load once the lobby's form is usable. */
export { DeviceController } from "../carillon/carillon.js";
export { CameraPanel } from "./camera-panel.js";
export { endingOf, movedEnding } from "./endings.js";
export { GreenRoom } from "./green-room.js";
export { Room } from "./room.js";
export { SoundPanel } from "./sound-panel.js";
export { Tabs } from "./tabs.js";
