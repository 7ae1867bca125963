import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'

export interface Terminal {
  /** As tmux names keys: `Enter`, `C-e`, or text. */
  press(...keys: readonly string[]): void
  screen(): string
  /** Until the screen shows it. */
  shows(text: string | RegExp): Promise<void>
  close(): void
}

export const hasTerminal = ['newsboat', 'tmux'].every(
  (program) => spawnSync('which', [program], { stdio: 'ignore' }).status === 0,
)

/** newsboat on a terminal of its own, with a folder of its own. */
export function openNewsboat(config: readonly string[]): Terminal {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-newsboat-'))
  writeFileSync(join(folder, 'config'), `${config.join('\n')}\n`)
  writeFileSync(join(folder, 'urls'), '')
  const socket = join(folder, 'tmux')
  const tmux = (...args: readonly string[]) => execFileSync('tmux', ['-S', socket, ...args], { encoding: 'utf8' })
  const command = `newsboat -C ${folder}/config -u ${folder}/urls -c ${folder}/cache.db; echo ended; sleep 600`
  const environment = { ...process.env, HOME: folder, TERM: 'xterm', LC_ALL: 'C.UTF-8' }
  execFileSync('tmux', ['-S', socket, 'new-session', '-d', '-x', '120', '-y', '30', command], { env: environment })
  const screen = () => tmux('capture-pane', '-p')
  return {
    press: (...keys) => void tmux('send-keys', ...keys),
    screen,
    shows: (text) => expect.poll(screen, { timeout: 60_000, interval: 200 }).toMatch(text),
    close() {
      spawnSync('tmux', ['-S', socket, 'kill-server'])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
