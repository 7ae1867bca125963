import { posix } from 'node:path'
import type { ExportedName, FileSyntax } from './syntax.ts'

/** An exported name and the files that use it. A file that hands it on (`export … from`) does not use it. */
export interface Use extends ExportedName {
  readonly file: string
  readonly byCode: number
  readonly byTests: number
}

/** The files that an import of a file means, or null: a package, or something that is not measured. */
export function importedPath(from: string, written: string, known: ReadonlyMap<string, unknown>): string | null {
  if (!written.startsWith('.')) return null
  const path = posix.join(posix.dirname(from), written)
  return known.has(path) ? path : null
}

/**
 * How often each export is used.
 * @param entries Files whose exports are for others: package.json names them.
 */
export function exportUses(files: ReadonlyMap<string, FileSyntax>, entries: ReadonlySet<string>): Use[] {
  const users = new Map<string, Set<string>>()
  for (const file of files.values()) {
    for (const { file: written, names } of file.imports) {
      const target = importedPath(file.path, written, files)
      if (target !== null) for (const name of names) note(target, name, file.path)
    }
  }
  for (const entry of entries) if (files.has(entry)) note(entry, '*', 'package.json')
  return [...files.values()].flatMap((file) =>
    file.exports.map((exported) => {
      const by = [...(users.get(`${file.path} ${exported.name}`) ?? [])]
      const byTests = by.filter((user) => files.get(user)?.isTest === true).length
      return { ...exported, file: file.path, byCode: by.length - byTests, byTests }
    }),
  )

  /** Follows a name through files that hand it on to the one that declares it. */
  function note(path: string, name: string, user: string): void {
    const key = `${path} ${name}`
    const known = users.get(key) ?? new Set<string>()
    if (known.has(user)) return
    users.set(key, known.add(user))
    const file = files.get(path)!
    if (name === '*') for (const exported of file.exports) note(path, exported.name, user)
    const from = file.exports.find((exported) => exported.name === name)?.from
    const next = from ? importedPath(path, from.file, files) : null
    if (from && next !== null) note(next, from.name, user)
    else if (!from) for (const target of starTargets(file)) note(target, name, user)
  }

  /** `export * from`: one of them has the name, if the file does not list it. */
  function starTargets(file: FileSyntax): string[] {
    return file.imports.flatMap(({ file: written, isHandedOn }) => {
      const target = isHandedOn ? importedPath(file.path, written, files) : null
      return target === null || file.exports.some(({ from }) => from?.file === written) ? [] : [target]
    })
  }
}
