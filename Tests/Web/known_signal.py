"""A known signal for a microphone, and the comparison of a received sound with this signal."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from Web.browser_peer import FRAME, RATE, Sound, loudest_hertz

Envelope = npt.NDArray[np.float64]

STEP = RATE // 100
"""The number of samples per value of an envelope: 10 ms."""
LOWEST, OCTAVES = 250.0, 5
"""The lower end of the lowest octave band, in Hz, and the number of bands. The highest ends at 8
kHz."""
TONES = np.geomspace(300, 6_000, 16)
"""The frequencies of the tones, in Hz."""
TONE = RATE // 5
"""The number of samples of a tone. A tone is loud for 150 ms and then soft for 50 ms."""
PAUSE = RATE // 4
"""The number of samples of each pause: one before the sentence, and one after the sentence."""
PILOT_HERTZ, PILOT = 150.0, 600
"""The frequency, in Hz, and the amplitude of a tone below all bands. It lasts as long as the
signal."""
SILENT = 100
"""The largest absolute value of a sample of silence."""


@dataclass
class Comparison:
    """The result of the comparison of a received sound with the signal."""

    correlation: float
    """The correlation of the sound's envelope with the signal's envelope, in the octave band where
    this correlation is lowest."""
    pitch_error: float
    """The largest error of a tone's frequency, as a share of the frequency."""
    silence: float
    """The longest time without any sound, in seconds. The signal is never silent."""
    sentence: Sound
    """The part of the received sound that contains the sentence."""


class KnownSignal:
    """Tones from 300 Hz to 6 kHz, and then a sentence. The signal repeats without a seam."""

    def __init__(self, sentence: Sound) -> None:
        at = np.arange(TONE) / RATE
        amplitude = np.where(at < 0.15, 9_000, 2_500)
        tones = [amplitude * np.sin(2 * np.pi * hertz * at) for hertz in TONES]
        pause = np.zeros(PAUSE)
        whole = np.concatenate([*tones, pause, 0.7 * sentence, pause])
        # A frame contains whole periods of the pilot.
        whole = whole[: len(whole) // FRAME * FRAME]
        pilot = PILOT * np.sin(2 * np.pi * PILOT_HERTZ * np.arange(len(whole)) / RATE)
        self.samples: Sound = (whole + pilot).astype(np.int16)

    @property
    def needed(self) -> int:
        """The number of received samples that contain all tones and the whole sentence."""
        return 2 * len(self.samples) - TONE * len(TONES) + RATE // 10

    def compare(self, heard: Sound) -> Comparison:
        """Compares a received sound that began anywhere in the signal."""
        period = len(self.samples)
        correlation, shift = best_correlation(heard[:period], self.samples)
        start = (period - shift) % period
        errors = [
            abs(loudest_hertz(middle_of_tone(heard, (start + place * TONE) % period)) / hertz - 1)
            for place, hertz in enumerate(TONES)
        ]
        sentence = (start + TONE * len(TONES)) % period
        length = period - TONE * len(TONES)
        return Comparison(
            correlation, max(errors), longest_silence(heard), heard[sentence : sentence + length]
        )


def envelopes(sound: Sound) -> Envelope:
    """Returns the loudness of each octave band in steps of 10 ms: one row for each band."""
    spectrum = np.fft.rfft(sound.astype(np.float64))
    hertz = np.fft.rfftfreq(len(sound), 1 / RATE)
    rows = []
    for octave in range(OCTAVES):
        low = LOWEST * 2**octave
        band = np.fft.irfft(np.where((low <= hertz) & (hertz < 2 * low), spectrum, 0), len(sound))
        squares = band[: len(band) // STEP * STEP].reshape(-1, STEP) ** 2
        # The mean over 50 ms does not depend on the phase of low tones.
        rows.append(np.sqrt(np.convolve(squares.mean(axis=1), np.ones(5) / 5, "same")))
    return np.array(rows)


def best_correlation(heard: Sound, sent: Sound) -> tuple[float, int]:
    """Returns the correlation of the envelopes at the best shift, and this shift, in samples.

    The correlation at a shift is the lowest correlation of any band. The shift is the same in all
    bands. `sent` repeats, and has the length of `heard`.
    """
    of_heard, of_sent = envelopes(heard), envelopes(np.tile(sent, 2))
    length = of_heard.shape[1]
    rows = []
    for one, other in zip(of_heard, of_sent, strict=True):
        shifted = sliding_window_view(other, length)[: len(sent) // STEP]
        shifted = shifted - shifted.mean(axis=1, keepdims=True)
        centred = one - one.mean()
        norms = np.linalg.norm(shifted, axis=1) * np.linalg.norm(centred)
        rows.append(shifted @ centred / np.maximum(norms, 1e-9))
    least = np.min(rows, axis=0)
    best = int(np.argmax(least))
    return float(least[best]), best * STEP


def middle_of_tone(sound: Sound, start: int) -> Sound:
    """Returns the middle of a tone, and then zeros, which make the spectrum finer."""
    middle = sound[start + TONE // 4 : start + TONE * 5 // 8]
    return np.pad(middle, (0, RATE - len(middle)))


def longest_silence(sound: Sound) -> float:
    """Returns the longest time without sound, in seconds."""
    pieces = np.abs(sound[: len(sound) // STEP * STEP].astype(int)).reshape(-1, STEP)
    longest = run = 0
    for loudest in pieces.max(axis=1):
        run = run + 1 if loudest <= SILENT else 0
        longest = max(longest, run)
    return longest * STEP / RATE
