/// The calls for everything that an application does in a meeting.
public protocol AudioVideoFacade: AudioVideoControllerFacade, RealtimeControllerFacade,
  DeviceController, VideoTileControllerFacade, ActiveSpeakerDetectorFacade, ContentShareController,
  EventAnalyticsFacade
{}
