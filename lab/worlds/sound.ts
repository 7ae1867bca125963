import { hashWord, keyedRandom, pick } from './keyed-random.ts'

const RATE = 8_000
const SECONDS = 24
const HEADER_BYTES = 44
/** A pentatonic scale: whatever order the notes come in, they sound well. */
const NOTES_HZ = [220, 246.94, 293.66, 329.63, 392, 440]
const NOTES_PER_SECOND = 2

export const SOUND_BYTES = HEADER_BYTES + RATE * SECONDS

/** A quiet melody of half a minute as WAV (8 bit, mono), from its name alone. */
export function soundOf(seed: number, feedIndex: number, key: string): Buffer {
  const random = keyedRandom(seed, feedIndex, hashWord(key), 0x50bd)
  const notes = Array.from({ length: SECONDS * NOTES_PER_SECOND }, () => pick(NOTES_HZ, random))
  const wav = Buffer.alloc(SOUND_BYTES)
  writeHeader(wav)
  const perNote = RATE / NOTES_PER_SECOND
  for (let i = 0; i < RATE * SECONDS; i++) {
    const frequency = notes[Math.floor(i / perNote)] ?? 0
    const fade = Math.exp((-3 * (i % perNote)) / perNote)
    wav[HEADER_BYTES + i] = Math.round(128 + 60 * fade * Math.sin((2 * Math.PI * frequency * i) / RATE))
  }
  return wav
}

/** RIFF/WAVE: one chunk that says how, one with the samples. */
function writeHeader(wav: Buffer): void {
  wav.write('RIFF', 0, 'latin1')
  wav.writeUInt32LE(SOUND_BYTES - 8, 4)
  wav.write('WAVEfmt ', 8, 'latin1')
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(1, 22)
  wav.writeUInt32LE(RATE, 24)
  wav.writeUInt32LE(RATE, 28)
  wav.writeUInt16LE(1, 32)
  wav.writeUInt16LE(8, 34)
  wav.write('data', 36, 'latin1')
  wav.writeUInt32LE(RATE * SECONDS, 40)
}
