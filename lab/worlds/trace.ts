import { createReadStream } from 'node:fs'
import { access, open } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import type { InstantMs } from '../../src/model/index.ts'
import { HeadwaterError } from '../../src/runtime/errors.ts'
import { CLEAN_HABITS, type FeedPlan } from './feed-plan.ts'

/** When real sources published: the form in which all experiments take a trace. */
export interface Trace {
  readonly sources: readonly TraceSource[]
}

/** When one source published. */
export interface TraceSource {
  readonly id: string
  /** Ascending; equal moments are separate items. */
  readonly times: Float64Array
}

/**
 * Reads `source_id,timestamp` (Unix seconds, with a header line), plain or gzipped, in any order. The lines are read as
 * bytes: most of a trace is digits, and strings for each of a million lines would cost more than everything else.
 */
export async function readTrace(path: string): Promise<Trace> {
  try {
    await access(path)
  } catch (cause) {
    throw new HeadwaterError('FILE_UNREADABLE', `no trace at ${path}`, { cause })
  }
  const reader = new TraceReader()
  try {
    const file = createReadStream(path)
    const bytes = (await isGzip(path)) ? file.pipe(createGunzip()) : file
    file.on('error', (error) => bytes.destroy(error))
    for await (const chunk of bytes) reader.read(chunk as Buffer)
    return reader.finish()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new HeadwaterError('FILE_UNREADABLE', `${path}: ${reason}`, { cause })
  }
}

/** By what it begins with (RFC 1952): names are often wrong. */
async function isGzip(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0)
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b
  } finally {
    await file.close()
  }
}

/** The sources of a trace as feeds of a world; start it at a moment of the trace with `dates: 'virtual'`. */
export function tracePlans(trace: Trace, windowItems = 20): FeedPlan[] {
  return trace.sources.map((source) => ({
    title: source.id,
    category: null,
    publication: { kind: 'times', times: source.times },
    windowItems,
    habits: CLEAN_HABITS,
    fault: null,
    headlines: null,
  }))
}

/** From the first publication to the last. */
export function traceSpan(trace: Trace): { readonly fromMs: InstantMs; readonly toMs: InstantMs } {
  let fromMs = Number.POSITIVE_INFINITY
  let toMs = Number.NEGATIVE_INFINITY
  for (const { times } of trace.sources) {
    if (times.length === 0) continue
    fromMs = Math.min(fromMs, times[0] ?? 0)
    toMs = Math.max(toMs, times[times.length - 1] ?? 0)
  }
  return { fromMs, toMs }
}

const NEWLINE = 10
const RETURN = 13
const COMMA = 44
const ZERO = 48
/** The year 5138: what is beyond was not counted in seconds. */
const LATEST_S = 1e11

class TraceReader {
  readonly #sources = new Map<string, number[]>()
  #line = 0
  #rest: Buffer = Buffer.alloc(0)
  #lastIdBytes: Buffer = Buffer.alloc(0)
  #lastTimes: number[] | null = null

  read(chunk: Buffer): void {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk
    let start = 0
    // Byte by byte: a call of indexOf for each short line costs more.
    for (let end = 0; end < bytes.length; end++) {
      if (bytes[end] !== NEWLINE) continue
      this.#readLine(bytes, start, end)
      start = end + 1
    }
    this.#rest = bytes.subarray(start)
  }

  finish(): Trace {
    this.#readLine(this.#rest, 0, this.#rest.length)
    const sources = [...this.#sources].map(([id, times]) => ({ id, times: ascending(new Float64Array(times)) }))
    return { sources }
  }

  #readLine(bytes: Buffer, start: number, end: number): void {
    this.#line++
    const last = end > start && bytes[end - 1] === RETURN ? end - 1 : end
    if (last === start) return
    let comma = start
    while (comma < last && bytes[comma] !== COMMA) comma++
    const seconds = comma > start && comma < last ? wholeNumber(bytes, comma + 1, last) : Number.NaN
    if (Number.isNaN(seconds)) {
      // A header may call its two columns what it likes.
      if (this.#line === 1 && comma > start && comma < last) return
      throw new Error(`line ${this.#line} is not "source_id,timestamp" with Unix seconds, as in feed7,1700000000`)
    }
    if (seconds > LATEST_S) {
      throw new Error(`line ${this.#line}: ${seconds} is no Unix time in seconds; milliseconds must be divided by 1000`)
    }
    this.#timesOf(bytes, start, comma).push(seconds * 1000)
  }

  /** Lines of one source mostly follow each other: the id is compared as bytes before it becomes a string. */
  #timesOf(bytes: Buffer, start: number, end: number): number[] {
    if (this.#lastTimes !== null && isPart(this.#lastIdBytes, bytes, start, end)) return this.#lastTimes
    const id = bytes.toString('utf8', start, end)
    let times = this.#sources.get(id)
    if (times === undefined) this.#sources.set(id, (times = []))
    this.#lastIdBytes = Buffer.from(bytes.subarray(start, end))
    this.#lastTimes = times
    return times
  }
}

function isPart(part: Buffer, bytes: Buffer, start: number, end: number): boolean {
  if (part.length !== end - start) return false
  for (let k = 0; k < part.length; k++) if (part[k] !== bytes[start + k]) return false
  return true
}

/** Sorted where it is not already, as most are. */
function ascending(times: Float64Array): Float64Array {
  for (let k = 1; k < times.length; k++) if ((times[k] ?? 0) < (times[k - 1] ?? 0)) return times.sort()
  return times
}

function wholeNumber(bytes: Buffer, start: number, end: number): number {
  if (start >= end) return Number.NaN
  let number = 0
  for (let i = start; i < end; i++) {
    const digit = (bytes[i] ?? 0) - ZERO
    if (digit < 0 || digit > 9) return Number.NaN
    number = number * 10 + digit
  }
  return number
}
