import type { Counts, ForesightMemory } from './memory.ts'
import { DAYS, HOURS, MINUTE_PARTS } from './tables.ts'

/** Bytes of one source's memory. */
export const PACKED_BYTES = 64

const RATES = 4
const HOURS_AT = RATES * Float32Array.BYTES_PER_ELEMENT
const DAYS_AT = HOURS_AT + HOURS
const PARTS_AT = DAYS_AT + DAYS
const WHOLE_AT = PARTS_AT + MINUTE_PARTS
const DATED_AT = WHOLE_AT + 1
const ERA_AT = DATED_AT + 1
const CLUSTERS_AT = ERA_AT + 1
const EXPONENTS_AT = CLUSTERS_AT + 1

/**
 * Memories of many sources side by side, 64 bytes each: four 32-bit rates, 45 counts of a byte, and in halves of
 * bytes three exponents, two cluster numbers and the era. Reading back gives the very values that were written (memory.ts keeps none that would not fit).
 */
export class PackedMemories {
  private readonly rates: Float32Array
  private readonly bytesOf: Uint8Array

  constructor(readonly capacity: number) {
    const buffer = new ArrayBuffer(capacity * PACKED_BYTES)
    this.rates = new Float32Array(buffer)
    this.bytesOf = new Uint8Array(buffer)
  }

  get bytes(): number {
    return this.bytesOf.byteLength
  }

  read(place: number): ForesightMemory {
    const rate = (place * PACKED_BYTES) / Float32Array.BYTES_PER_ELEMENT
    const start = place * PACKED_BYTES
    const { rates, bytesOf } = this
    return {
      v: 1,
      recentItems: rates[rate]!,
      recentHours: rates[rate + 1]!,
      longItems: rates[rate + 2]!,
      longHours: rates[rate + 3]!,
      hours: this.counts(start + HOURS_AT, HOURS, bytesOf[start + EXPONENTS_AT]! >> 4),
      days: this.counts(start + DAYS_AT, DAYS, bytesOf[start + EXPONENTS_AT]! & 15),
      parts: this.counts(start + PARTS_AT, MINUTE_PARTS, bytesOf[start + ERA_AT]! & 15),
      wholeMinutes: bytesOf[start + WHOLE_AT]!,
      dated: bytesOf[start + DATED_AT]!,
      era: bytesOf[start + ERA_AT]! >> 4,
      weekCluster: bytesOf[start + CLUSTERS_AT]! >> 4,
      minuteCluster: bytesOf[start + CLUSTERS_AT]! & 15,
    }
  }

  write(place: number, memory: ForesightMemory): void {
    const rate = (place * PACKED_BYTES) / Float32Array.BYTES_PER_ELEMENT
    const start = place * PACKED_BYTES
    const { rates, bytesOf } = this
    rates[rate] = memory.recentItems
    rates[rate + 1] = memory.recentHours
    rates[rate + 2] = memory.longItems
    rates[rate + 3] = memory.longHours
    for (let part = 0; part < HOURS; part++) bytesOf[start + HOURS_AT + part] = memory.hours.of[part]!
    for (let part = 0; part < DAYS; part++) bytesOf[start + DAYS_AT + part] = memory.days.of[part]!
    for (let part = 0; part < MINUTE_PARTS; part++) bytesOf[start + PARTS_AT + part] = memory.parts.of[part]!
    bytesOf[start + WHOLE_AT] = memory.wholeMinutes
    bytesOf[start + DATED_AT] = memory.dated
    bytesOf[start + ERA_AT] = (memory.era << 4) | memory.parts.exponent
    bytesOf[start + EXPONENTS_AT] = (memory.hours.exponent << 4) | memory.days.exponent
    bytesOf[start + CLUSTERS_AT] = (memory.weekCluster << 4) | memory.minuteCluster
  }

  private counts(from: number, length: number, exponent: number): Counts {
    const of = new Array<number>(length)
    for (let part = 0; part < length; part++) of[part] = this.bytesOf[from + part]!
    return { of, exponent }
  }
}
