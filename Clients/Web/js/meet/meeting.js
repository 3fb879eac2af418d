/**
 * The modules of the meeting. The page loads these modules when the user can already use the
 * lobby's form.
 */
export { DeviceController } from "../carillon/carillon.js";
export { CameraPanel } from "./camera-panel.js";
export { endingOf, movedEnding } from "./endings.js";
export { GreenRoom } from "./green-room.js";
export { Room } from "./room.js";
export { SoundPanel } from "./sound-panel.js";
export { Tabs } from "./tabs.js";
