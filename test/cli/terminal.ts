import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '../support/patience.ts'

/** A real terminal, by a tmux server of its own. */
export interface Terminal {
  /** What it shows now, without colours. */
  shown(): string
  /** Waits until it shows this, and gives all that it shows. */
  until(words: RegExp): Promise<string>
  type(...keys: string[]): void
  close(): void
}

export function openTerminal(cwd: string, { columns = 120, rows = 40 } = {}): Terminal {
  const sockets = mkdtempSync(join(tmpdir(), 'headwater-tmux-'))
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-S', join(sockets, 's'), '-f', '/dev/null', ...args], { cwd, encoding: 'utf8' })
  const size = ['-x', String(columns), '-y', String(rows)]
  tmux('new-session', '-d', '-s', 't', ...size, 'bash --norc --noprofile')
  const shown = () => tmux('capture-pane', '-p', '-t', 't')
  return {
    shown,
    async until(words) {
      if (!(await eventually(async () => words.test(shown())))) throw new Error(`never ${words}, but:\n${shown()}`)
      return shown()
    },
    type: (...keys) => void tmux('send-keys', '-t', 't', ...keys),
    close() {
      tmux('kill-server')
      rmSync(sockets, { recursive: true, force: true })
    },
  }
}
