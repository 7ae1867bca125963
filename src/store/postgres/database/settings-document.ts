import type { Sql } from './sql.ts'

/** The settings of a cluster as a text in its database. */
export interface StoredSettings {
  /** null: nobody has set any. */
  read(): Promise<string | null>
  /** Whole or not at all, and another version each time. */
  write(document: string): Promise<void>
  /** 0: nobody has set any. */
  version(): Promise<number>
}

export function storedSettings(sql: Sql): StoredSettings {
  return {
    read: () => readSettings(sql),
    async write(document) {
      await sql.run(
        `INSERT INTO settings_document AS d (id, version, document) VALUES (1, 1, $1)
         ON CONFLICT (id) DO UPDATE SET version = d.version + 1, document = excluded.document`,
        [document],
      )
    },
    async version() {
      return (await sql.first<{ version: number }>('SELECT version FROM settings_document'))?.version ?? 0
    },
  }
}

export async function readSettings(sql: Sql): Promise<string | null> {
  return (await sql.first<{ document: string }>('SELECT document FROM settings_document'))?.document ?? null
}
