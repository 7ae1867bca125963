import Database from 'better-sqlite3'

/** Enough to see what kind of damage it is. */
const MOST_FAULTS = 20
const CACHE_KIB = 4_096

/**
 * What SQLite finds wrong with a database that may be in use; nothing: it is whole. `quick_check` reads every page, and leaves
 * out only the comparison of indexes with their tables. It takes as long as reading the file and cannot be interrupted, so it
 * belongs into a process of its own (check-process.ts).
 */
export function faultsOf(path: string): readonly string[] {
  try {
    const db = new Database(path, { readonly: true, fileMustExist: true })
    try {
      db.pragma(`cache_size = -${CACHE_KIB}`)
      const rows = db.pragma(`quick_check(${MOST_FAULTS})`) as readonly { readonly quick_check: string }[]
      return rows.map(({ quick_check: text }) => text).filter((text) => text !== 'ok')
    } finally {
      db.close()
    }
  } catch (error) {
    // Damaged so badly that it cannot even be looked through; everything else says nothing about the file.
    if (error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code)) return [error.message]
    throw error
  }
}
