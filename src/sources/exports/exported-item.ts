import type { ParsedItem } from '../../model/index.ts'

/** One article of another reader's export, with what its user had done with it there. */
export interface ExportedItem {
  readonly feedUrl: string
  readonly feedTitle: string | null
  readonly siteUrl: string | null
  /** Paths of folders that the export names for its feed; where none, the list of feeds says it. */
  readonly folders: readonly string[]
  readonly item: ParsedItem
  readonly isRead: boolean
  readonly isStarred: boolean
}

export type JsonObject = Readonly<Record<string, unknown>>

export function objectOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
}

export function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Without the white space around; null where there is no text. */
export function wordsOf(value: unknown): string | null {
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' ? null : text
}
