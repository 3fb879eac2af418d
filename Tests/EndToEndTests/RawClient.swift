import MeetingModel
import TestSupport
import Wire
import ZeroMQ
