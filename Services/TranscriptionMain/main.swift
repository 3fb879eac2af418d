import ServiceHost
import Transcription

await TranscriptionCommand.main()
