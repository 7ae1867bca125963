import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { type FileSyntax, readSyntax } from './syntax.ts'

const FOLDERS: readonly string[] = ['src', 'lab', 'bench', 'bin', 'web', 'test', 'scripts']

/** All TypeScript of a checkout, in order. */
export function readCheckout(root: string): FileSyntax[] {
  return FOLDERS.filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => readSyntax(relative(root, path).split(sep).join('/'), readFileSync(path, 'utf8')))
}

/** The files whose exports others import: what package.json exports or runs, before it is compiled. */
export function readEntryFiles(root: string): ReadonlySet<string> {
  const text = readFileSync(join(root, 'package.json'), 'utf8')
  return new Set([...text.matchAll(/"(?:\.\/)?dist\/(\S+)\.js"/g)].map(([, path]) => `${path}.ts`))
}
