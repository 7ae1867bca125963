import { randomBytes } from 'node:crypto'
import { xorshift128plus } from 'pure-rand/generator/xorshift128plus'
import type { Random } from '../model/index.ts'

/** The same seed gives the same numbers on every machine. */
export function seededRandom(seed: number): Random {
  const generator = xorshift128plus(seed)
  // 53 random bits as a double in [0, 1).
  return () => {
    const high = generator.next() >>> 5
    const low = generator.next() >>> 6
    return (high * 0x4000000 + low) / 0x20000000000000
  }
}

export const systemRandom: Random = Math.random

/** That nobody can guess, as keys are made of. */
export function randomKey(bytes: number): Buffer {
  return randomBytes(bytes)
}

/** That nobody can guess: 192 bits, to be written in an address. */
export function randomSecret(): string {
  return randomBytes(24).toString('base64url')
}
