import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where this machine gets its own packages from; null: not from Debian. */
export function debianMirror(): string | null {
  const texts = ['/etc/apt/sources.list', ...filesIn('/etc/apt/sources.list.d')].map((path) =>
    existsSync(path) ? readFileSync(path, 'utf8') : '',
  )
  // Comments name mirrors that are not asked.
  const lines = texts
    .join('\n')
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
  return /https?:\/\/\S+\/debian(?=[\s/]|$)/m.exec(lines.join('\n'))?.[0] ?? null
}

function filesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []
}
