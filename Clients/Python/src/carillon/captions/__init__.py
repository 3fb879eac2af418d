"""Writing final transcription results as plain text, JSON lines, WebVTT or SRT."""

from carillon.captions.cutting import Caption, cut, speaker_name
from carillon.captions.writing import CaptionFormat, CaptionWriter, result_json, write_captions

__all__ = [
    "Caption",
    "CaptionFormat",
    "CaptionWriter",
    "cut",
    "result_json",
    "speaker_name",
    "write_captions",
]
