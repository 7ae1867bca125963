import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import type { RoleName } from '../../src/app/data/role-names.ts'
import { environmentName, type SettingName } from '../../src/app/settings/config.ts'
import { HEADWATER } from './paths.ts'

export const OWNER_PASSWORD = 'correct horse battery'

/** One process of the cluster, over its restarts. */
export interface ClusterProcess {
  readonly name: string
  readonly roles: readonly RoleName[]
  /** Of the process that runs now. */
  readonly pid: number
  /** Where it serves; empty: it does not. */
  readonly url: string
  start(): Promise<void>
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  kill(): Promise<void>
  /** As a polite kill does. */
  stop(): Promise<void>
}

export interface MemberSetup {
  readonly name: string
  readonly roles: readonly RoleName[]
  readonly folder: string
  readonly flags: readonly string[]
  readonly settings: Readonly<Partial<Record<SettingName, string>>>
  /** Goes before the command, as what begins it in a network of its own. */
  readonly prefix: readonly string[]
  /** Another program than the usual one. */
  readonly program?: string | undefined
  readonly logFolder?: string | undefined
  /** Where it will serve; empty: it does not. */
  readonly localUrl: string
}

export function newProcess(setup: MemberSetup): ClusterProcess {
  const { name, roles, folder, flags, settings, prefix, program = HEADWATER, logFolder, localUrl } = setup
  let life = 0
  let child: ChildProcess | null = null
  const end = async (signal: NodeJS.Signals) => {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  return {
    name,
    roles,
    get pid() {
      return child?.pid ?? 0
    },
    url: localUrl,
    async start() {
      const agent = `${name}#${++life}`
      const args = ['serve', '--role', roles.join(','), '--data', join(folder, name), ...flags]
      const [command, ...rest] = [...prefix, process.execPath, program, ...args]
      const started = spawn(command ?? '', rest, {
        env: {
          ...process.env,
          HEADWATER_OWNER_PASSWORD: OWNER_PASSWORD,
          ...variablesOf({ ...settings, userAgent: agent }),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      child = started
      if (logFolder !== undefined) logTo(started, join(logFolder, `${name}.log`))
      await untilItWorks(started, name)
    },
    signal: (signal) => void child?.kill(signal),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}

/** By the environment: not every setting has a flag. */
function variablesOf(settings: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [environmentName(name), value]))
}

function logTo(child: ChildProcess, path: string): void {
  const file = createWriteStream(path, { flags: 'a' })
  child.stdout?.on('data', (text) => file.write(text))
  child.stderr?.on('data', (text) => file.write(text))
  child.once('close', () => file.end())
}

/** It says so. */
async function untilItWorks(child: ChildProcess, name: string): Promise<void> {
  let said = ''
  return new Promise((resolve, reject) => {
    const hear = (text: Buffer) => {
      said += text
      if (/^Headwater (?:serves on|runs as) .*\n/m.test(said)) resolve()
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    child.once('error', reject)
    child.once('close', (code) => reject(new Error(`${name} ended with ${code}: ${said}`)))
  })
}
