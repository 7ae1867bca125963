import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** A disk of our own that can be filled and made read-only. */
export interface SmallDisk {
  readonly path: string
  fill(): void
  freeSpace(): void
  /** False: the system refuses, as while files are open for writing. */
  remount(mode: 'ro' | 'rw'): boolean
  remove(): void
}

/** A disk in memory; the reason as text where this machine does not let us mount one. */
export function mountSmallDisk(path: string, megabytes: number): SmallDisk | string {
  mkdirSync(path, { recursive: true })
  const refused = run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'headwater-attack', path])
  if (refused !== null) return `mounting a tmpfs is refused here: ${refused}`
  const filling = join(path, 'filling')
  return {
    path,
    fill: () => fillUp(filling),
    freeSpace: () => rmSync(filling, { force: true }),
    remount: (mode) => run('mount', ['-o', `remount,${mode}`, path]) === null,
    // Lazily: a node may still have it open.
    remove: () => void run('umount', ['-l', path]),
  }
}

/** null: it went well. */
function run(program: string, args: readonly string[]): string | null {
  try {
    execFileSync(program, args, { stdio: 'pipe' })
    return null
  } catch (error) {
    const text = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
    return text === '' ? String(error) : text
  }
}

function fillUp(path: string): void {
  const file = openSync(path, 'a')
  try {
    for (let bytes = 65_536; bytes >= 512; ) {
      try {
        writeSync(file, Buffer.alloc(bytes))
      } catch {
        bytes /= 2
      }
    }
  } finally {
    closeSync(file)
  }
}
