import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { WASI } from 'node:wasi'
import { roundToPrecision } from './rounds.ts'

export interface TurnFigures {
  readonly turns: number
  /** CPU time of the main thread alone, per turn of its event loop. */
  readonly cpuMs: { readonly p50: number; readonly p99: number; readonly p999: number; readonly most: number }
  /** By the clock, where a busy machine counts. */
  readonly delayMs: { readonly p50: number; readonly p999: number; readonly most: number }
  readonly mainCpuMs: number
}

/** The part of the engine that is used here; the types of Node do not have it. */
interface Wasm {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: object }
}
const { WebAssembly: wasm } = globalThis as unknown as { readonly WebAssembly: Wasm }

const NS_PER_MS = 1e6
const CLOCK_THREAD_CPU = 3

/**
 * Milliseconds of CPU time of the calling thread. Node 20 has no call for it, and /proc gives it in ticks of some
 * milliseconds; the clock of WASI is the thread's own, in nanoseconds, and takes a microsecond to read.
 */
function threadCpuClock(): () => number {
  const wasi = new WASI({ version: 'preview1' })
  const compiled = new wasm.Module(new Uint8Array(clockModule()))
  const instance = new wasm.Instance(compiled, wasi.getImportObject())
  const { memory, read } = instance.exports as { memory: { buffer: ArrayBuffer }; read: () => number }
  wasi.initialize({ exports: { memory } })
  const answer = new DataView(memory.buffer)
  return () => {
    const failure = read()
    if (failure !== 0) throw new Error(`no clock of the thread's CPU time: ${failure}`)
    return Number(answer.getBigUint64(0, true)) / NS_PER_MS
  }
}

/** A module with the one function `read: () => clock_time_get(CLOCK_THREAD_CPU, 1, 0)` and a page of memory for the answer. */
function clockModule(): readonly number[] {
  const name = (text: string) => [text.length, ...Buffer.from(text)]
  const section = (id: number, bytes: readonly number[]) => [id, bytes.length, ...bytes]
  const [i32, i64] = [0x7f, 0x7e]
  return [
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [2, 0x60, 3, i32, i64, i32, 1, i32, 0x60, 0, 1, i32]),
    ...section(2, [1, ...name('wasi_snapshot_preview1'), ...name('clock_time_get'), 0, 0]),
    ...section(3, [1, 1]),
    ...section(5, [1, 0, 1]),
    ...section(7, [2, ...name('memory'), 2, 0, ...name('read'), 0, 1]),
    ...section(10, [1, 10, 0, 0x41, CLOCK_THREAD_CPU, 0x42, 1, 0x41, 0, 0x10, 0, 0x0b]),
  ]
}

/** Measures every turn of the event loop of the thread that makes it, from the first on. */
export class LoopMeter {
  private readonly cpuMs = threadCpuClock()
  private turns: number[] = []
  private before = this.cpuMs()
  private beganAt = this.before
  private readonly delay: IntervalHistogram = monitorEventLoopDelay({ resolution: 5 })

  constructor() {
    this.delay.enable()
    this.measure()
  }

  begin(): void {
    this.turns = []
    this.beganAt = this.cpuMs()
    this.before = this.beganAt
    this.delay.reset()
  }

  end(): TurnFigures {
    const sorted = Float64Array.from(this.turns).sort()
    const at = (share: number) =>
      roundToPrecision(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0)
    const delayAt = (percent: number) => roundToPrecision(this.delay.percentile(percent) / NS_PER_MS)
    return {
      turns: sorted.length,
      cpuMs: { p50: at(0.5), p99: at(0.99), p999: at(0.999), most: at(1) },
      delayMs: { p50: delayAt(50), p999: delayAt(99.9), most: roundToPrecision(this.delay.max / NS_PER_MS) },
      mainCpuMs: this.before - this.beganAt,
    }
  }

  /** An immediate that nobody waits for runs once in each turn, and does not keep the loop from sleeping. */
  private readonly measure = (): void => {
    const now = this.cpuMs()
    this.turns.push(now - this.before)
    this.before = now
    setImmediate(this.measure).unref()
  }
}
