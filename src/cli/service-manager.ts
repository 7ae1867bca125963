import { spawn } from 'node:child_process'
import type { Clock } from '../runtime/clock.ts'
import { repeat } from '../runtime/repeat.ts'

/** What systemd is told; nothing where nobody listens. */
export interface ServiceManager {
  ready(): Promise<void>
  stopping(): Promise<void>
}

/**
 * Tells systemd (`Type=notify`) when the node serves, that it lives, and that it ends. Node has no datagrams over Unix sockets, so that
 * `systemd-notify`, which every system with systemd has, sends them (docs/decisions/0137-install.md). The sign of life comes from the event
 * loop: one that stands still gives none, and systemd starts the node again.
 */
export function serviceManager(
  env: Readonly<Record<string, string | undefined>>,
  clock: Pick<Clock, 'sleep' | 'monotonicMs'>,
): ServiceManager {
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: watchdogUs } = env
  if (socket === undefined || socket === '') return { ready: async () => {}, stopping: async () => {} }
  const notify = (...words: readonly string[]) => sendNotice(socket, words)
  const living = new AbortController()
  const everyMs = Math.floor(Number(watchdogUs) / 3_000)
  return {
    async ready() {
      await notify('--ready', `--pid=${process.pid}`)
      if (!(everyMs > 0) || living.signal.aborted) return
      const giveSign = repeat({ clock, everyMs, action: () => notify('WATCHDOG=1'), alsoAtEnd: false })
      giveSign(living.signal).catch(() => {})
    },
    async stopping() {
      living.abort()
      await notify('STOPPING=1')
    },
  }
}

/** One that is not there, or fails, does no harm: systemd says so itself. */
function sendNotice(socket: string, words: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    const env = { PATH: process.env['PATH'], NOTIFY_SOCKET: socket }
    const child = spawn('systemd-notify', [...words], { stdio: 'ignore', env })
    child.once('error', () => resolve()).once('exit', () => resolve())
  })
}
