import type { Packing } from '../../packing.ts'
import type { Counts, ForesightMemory } from './memory.ts'
import { DAYS, HOURS, MINUTE_PARTS } from './tables.ts'

/** Bytes of one source's memory. */
export const PACKED_BYTES = 64

const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT
const RATES = 4
const HOURS_AT = RATES * FLOAT_BYTES
const DAYS_AT = HOURS_AT + HOURS
const PARTS_AT = DAYS_AT + DAYS
const WHOLE_AT = PARTS_AT + MINUTE_PARTS
const DATED_AT = WHOLE_AT + 1
const ERA_AT = DATED_AT + 1
const CLUSTERS_AT = ERA_AT + 1
const EXPONENTS_AT = CLUSTERS_AT + 1

/**
 * A memory in 64 bytes: four 32-bit rates, 45 counts of a byte, and in halves of bytes three exponents, two cluster
 * numbers and the era. Unpacking gives the very values that were packed (memory.ts keeps none that would not fit). The
 * bytes lie where the row has floats, so a row must be copied as bytes, not float by float.
 */
export const foresightPacking: Packing<ForesightMemory> = {
  floats: PACKED_BYTES / FLOAT_BYTES,
  pack(memory, target, offset) {
    target[offset] = memory.recentItems
    target[offset + 1] = memory.recentHours
    target[offset + 2] = memory.longItems
    target[offset + 3] = memory.longHours
    const bytes = bytesOf(target)
    const start = offset * FLOAT_BYTES
    putCounts(bytes, start + HOURS_AT, memory.hours)
    putCounts(bytes, start + DAYS_AT, memory.days)
    putCounts(bytes, start + PARTS_AT, memory.parts)
    bytes[start + WHOLE_AT] = memory.wholeMinutes
    bytes[start + DATED_AT] = memory.dated
    bytes[start + ERA_AT] = (memory.era << 4) | memory.parts.exponent
    bytes[start + CLUSTERS_AT] = (memory.weekCluster << 4) | memory.minuteCluster
    bytes[start + EXPONENTS_AT] = (memory.hours.exponent << 4) | memory.days.exponent
  },
  unpack(source, offset) {
    const bytes = bytesOf(source)
    const start = offset * FLOAT_BYTES
    const exponents = bytes[start + EXPONENTS_AT]!
    return {
      v: 1,
      recentItems: source[offset]!,
      recentHours: source[offset + 1]!,
      longItems: source[offset + 2]!,
      longHours: source[offset + 3]!,
      hours: counts(bytes, start + HOURS_AT, HOURS, exponents >> 4),
      days: counts(bytes, start + DAYS_AT, DAYS, exponents & 15),
      parts: counts(bytes, start + PARTS_AT, MINUTE_PARTS, bytes[start + ERA_AT]! & 15),
      wholeMinutes: bytes[start + WHOLE_AT]!,
      dated: bytes[start + DATED_AT]!,
      era: bytes[start + ERA_AT]! >> 4,
      weekCluster: bytes[start + CLUSTERS_AT]! >> 4,
      minuteCluster: bytes[start + CLUSTERS_AT]! & 15,
    }
  },
}

/** The bytes beneath a row of floats; views are made once per array. */
const views = new WeakMap<Float32Array, Uint8Array>()

function bytesOf(floats: Float32Array): Uint8Array {
  let view = views.get(floats)
  if (view === undefined) {
    view = new Uint8Array(floats.buffer, floats.byteOffset, floats.byteLength)
    views.set(floats, view)
  }
  return view
}

function putCounts(bytes: Uint8Array, from: number, { of }: Counts): void {
  for (let part = 0; part < of.length; part++) bytes[from + part] = of[part]!
}

function counts(bytes: Uint8Array, from: number, length: number, exponent: number): Counts {
  const of = new Array<number>(length)
  for (let part = 0; part < length; part++) of[part] = bytes[from + part]!
  return { of, exponent }
}
