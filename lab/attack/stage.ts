import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { systemClock } from '../../src/runtime/clock.ts'
import { type AttackAnswer, type AttackRequest, createClient } from './client.ts'
import { answering, type ServeProcess, startProcess } from './node-process.ts'
import { type AttackUser, claim, invite } from './people.ts'
import { clockFrom } from './preloads.ts'
import { type HostileServer, type RequestListener, startHostileServer, startHostileSocket } from './servers.ts'

/** For feeds that the stage serves: they are on loopback, which a node refuses unless told otherwise. */
export const NEAR: readonly string[] = ['--allow-range', 'loopback', '--host-spacing', '0s']

export interface AttackNodeOptions {
  /** Of `headwater serve`; port, data folder and log level are given already. */
  readonly flags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Of node itself, as --max-old-space-size=96, or a preload of preloads.ts. */
  readonly nodeArgs?: readonly string[]
  /** Default: one of its own below the folder of the stage. */
  readonly dataDir?: string
  /** Whether its wall clock can be set (`shiftClock`), and how far it is off at the start. */
  readonly clockOffsetMs?: number
  /** False: it is left without an owner. */
  readonly isClaimed?: boolean
}

/** A real node over loopback. It stays the same object over kills and starts, on the same port and folder. */
export interface AttackedNode {
  readonly url: string
  readonly port: number
  readonly dataDir: string
  /** Of the process that runs now, or ran last. */
  readonly process: ServeProcess
  /** Throws where the node was not claimed. */
  readonly owner: AttackUser
  /** As anybody, unless the question says who. */
  ask(method: string, path: string, options?: AttackRequest): Promise<AttackAnswer>
  /** Invites somebody, who accepts. */
  member(name: string): Promise<AttackUser>
  /** Sets how far the wall clock is off from now on. */
  shiftClock(offsetMs: number): void
  /** Starts it again; resolves when it answers. */
  start(more?: Pick<AttackNodeOptions, 'flags' | 'env' | 'nodeArgs'>): Promise<void>
  /** Ends it as a power cut would. */
  kill(): Promise<void>
  /** Ends it politely; resolves with the exit code. */
  stop(): Promise<number | null>
}

/** What an attack needs: nodes, servers of the attacker's, a folder; all of it ends with the stage. */
export interface AttackStage {
  readonly folder: string
  startNode(options?: AttackNodeOptions): Promise<AttackedNode>
  startServer(answer: RequestListener | ReadonlyMap<string, RequestListener>, host?: string): Promise<HostileServer>
  startSocketServer(...args: Parameters<typeof startHostileSocket>): Promise<HostileServer>
  /** Asks again and again until the answer is yes; false when a generous time is over. */
  eventually(isTrue: () => Promise<boolean> | boolean, withinMs?: number): Promise<boolean>
  sleep(ms: number): Promise<void>
  close(): Promise<void>
}

const PATIENCE_MS = 180_000
const LOOK_EVERY_MS = 100

export function createAttackStage(): AttackStage {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-attack-'))
  const ends: (() => Promise<unknown>)[] = []
  let nodes = 0
  const closeLater = async <T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> => {
    const opened = await opening
    ends.push(() => opened.close())
    return opened
  }
  return {
    folder,
    startNode: (options = {}) => openNode(join(folder, `node-${++nodes}`), options, (end) => ends.push(end)),
    startServer: (answer, host) => closeLater(startHostileServer(answer, host)),
    startSocketServer: (onSocket, host) => closeLater(startHostileSocket(onSocket, host)),
    eventually,
    sleep: (ms) => systemClock.sleep(ms),
    async close() {
      for (const end of ends.splice(0).reverse()) await end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function eventually(isTrue: () => Promise<boolean> | boolean, withinMs = PATIENCE_MS): Promise<boolean> {
  const endMs = systemClock.monotonicMs() + withinMs
  while (systemClock.monotonicMs() < endMs) {
    if (await isTrue()) return true
    await systemClock.sleep(LOOK_EVERY_MS)
  }
  return isTrue()
}

async function openNode(
  folder: string,
  options: AttackNodeOptions,
  atEnd: (end: () => Promise<unknown>) => void,
): Promise<AttackedNode> {
  const { dataDir = join(folder, 'data'), clockOffsetMs, isClaimed = true } = options
  const clockFile = `${dataDir}.clock`
  const port = await freePort()
  const client = createClient('127.0.0.1', port)
  const clockArgs = clockOffsetMs === undefined ? [] : clockFrom(clockFile)
  let served: ServeProcess | undefined
  let owner: AttackUser | undefined
  const running = () => {
    if (served === undefined) throw new Error('the node was not started')
    return served
  }
  const owning = () => {
    if (owner === undefined) throw new Error('nobody owns this node')
    return owner
  }
  const start = async ({ flags, env, nodeArgs }: AttackNodeOptions = {}) => {
    served = startProcess({
      flags: [...base(port, dataDir), ...(options.flags ?? []), ...(flags ?? [])],
      env: { ...options.env, ...env },
      nodeArgs: [...clockArgs, ...(options.nodeArgs ?? []), ...(nodeArgs ?? [])],
    })
    await answering(served, client)
  }
  const end = async (signal: NodeJS.Signals) => {
    running().signal(signal)
    return running().exit
  }
  atEnd(async () => {
    client.close()
    if (served?.isRunning()) await end('SIGKILL')
  })
  const shiftClock = (offsetMs: number) => {
    if (clockOffsetMs === undefined) throw new Error('start it with clockOffsetMs to set its clock')
    writeFileSync(clockFile, String(offsetMs))
    if (served?.isRunning()) served.signal('SIGUSR2')
  }
  mkdirSync(dirname(dataDir), { recursive: true })
  if (clockOffsetMs !== undefined) shiftClock(clockOffsetMs)
  await start()
  if (isClaimed) owner = await claim(client)
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    dataDir,
    get process() {
      return running()
    },
    get owner() {
      return owning()
    },
    ask: (method, path, options) => client.ask(method, path, options),
    member: (name) => invite(client, owning(), name),
    shiftClock,
    start,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  }
}

function base(port: number, dataDir: string): string[] {
  return ['--port', String(port), '--data', dataDir, '--log-level', 'error']
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
