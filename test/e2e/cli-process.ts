import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { PATIENCE_MS } from '../support/patience.ts'

export const HEADWATER = join(import.meta.dirname, '../../dist/bin/headwater.js')

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs the real command as a person would, in a process of its own. */
export function runHeadwater(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ran> {
  return run(process.execPath, [HEADWATER, ...args], cwd, env)
}

/**
 * The same at a terminal, with what the person types: `script` gives it a real one. What it prints, to whichever stream, is
 * in `out`.
 */
export function runAtTerminal(cwd: string, args: readonly string[], typed: string): Promise<Ran> {
  const command = [process.execPath, HEADWATER, ...args].map((word) => `'${word}'`).join(' ')
  return run('script', ['-qec', command, '/dev/null'], cwd, {}, typed)
}

function run(file: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv, typed?: string): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { cwd, timeout: PATIENCE_MS, env: { ...process.env, ...env } }
    const child = execFile(file, [...args], options, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    )
    if (typed !== undefined) child.stdin?.end(typed)
  })
}
