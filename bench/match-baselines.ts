import Database from 'better-sqlite3'
import type { MatchItem, QueryCondition } from '../src/query/index.ts'
import { NO_SOURCE } from '../src/query/item/arrival.ts'
import { MASKS, textsOf } from '../src/query/item/texts.ts'
import { words } from '../src/store/text/fold.ts'

type Contains = Extract<QueryCondition, { kind: 'contains' }>
type WordField = 'ITEM' | 'TITLE' | 'DESCRIPTION'
const FIELDS: readonly WordField[] = ['ITEM', 'TITLE', 'DESCRIPTION']

/** What a straightforward program keeps of an item: its words as a set, and the text for phrases. */
export type TokenSets = Readonly<
  Record<WordField, { readonly set: ReadonlySet<string>; readonly texts: readonly string[] }>
>

export function tokenSets(item: MatchItem): TokenSets {
  const cut = textsOf({ item, source: NO_SOURCE }).map(({ mask, text }) => ({ mask, words: words(text) }))
  const of = (field: WordField) => {
    const parts = cut.filter(({ mask }) => (mask & MASKS[field]) !== 0).map((part) => part.words)
    return { set: new Set(parts.flat()), texts: parts.map((part) => ` ${part.join(' ')} `) }
  }
  return { ITEM: of('ITEM'), TITLE: of('TITLE'), DESCRIPTION: of('DESCRIPTION') }
}

export type NaiveQuery = (item: TokenSets) => boolean

/** One query after the other over the token set, stopping as early as it can. */
export function naiveQuery(condition: QueryCondition): NaiveQuery {
  switch (condition.kind) {
    case 'and': {
      const parts = condition.of.map(naiveQuery)
      return (item) => parts.every((part) => part(item))
    }
    case 'or': {
      const parts = condition.of.map(naiveQuery)
      return (item) => parts.some((part) => part(item))
    }
    case 'not': {
      const inner = naiveQuery(condition.of)
      return (item) => !inner(item)
    }
    default:
      return containing(condition as Contains)
  }
}

function containing({ field, text }: Contains): NaiveQuery {
  const [first, ...others] = words(text)
  const name = field as WordField
  if (others.length === 0) return (item) => item[name].set.has(first!)
  const phrase = ` ${[first, ...others].join(' ')} `
  return (item) => item[name].set.has(first!) && item[name].texts.some((part) => part.includes(phrase))
}

/** FTS5 over a table of one row: the item. */
export class OneRowTable {
  private readonly database = new Database(':memory:')
  private readonly insert: Database.Statement
  private readonly clear: Database.Statement
  private readonly match: Database.Statement

  constructor() {
    this.database.exec(`CREATE VIRTUAL TABLE one USING fts5(${FIELDS.join(', ')}, tokenize = 'unicode61')`)
    this.insert = this.database.prepare('INSERT INTO one VALUES (?, ?, ?)')
    this.clear = this.database.prepare('DELETE FROM one')
    this.match = this.database.prepare('SELECT count(*) FROM one WHERE one MATCH ?').pluck()
  }

  load(item: TokenSets): void {
    this.clear.run()
    this.insert.run(...FIELDS.map((field) => item[field].texts.join('\n')))
  }

  matches(expression: string): boolean {
    return this.match.get(expression) === 1
  }

  close(): void {
    this.database.close()
  }
}

/** In FTS5's own language; NOT stands only behind AND in the queries of the bench. */
export function ftsExpression(condition: QueryCondition): string {
  switch (condition.kind) {
    case 'and': {
      const [positive, negative] = [
        condition.of.filter((c) => c.kind !== 'not'),
        condition.of.filter((c) => c.kind === 'not'),
      ]
      const all = positive.map(ftsExpression).join(' AND ')
      return negative.reduce(
        (text, c) => `((${text}) NOT ${ftsExpression((c as { of: QueryCondition }).of)})`,
        `(${all})`,
      )
    }
    case 'or':
      return `(${condition.of.map(ftsExpression).join(' OR ')})`
    case 'not':
      throw new Error('FTS5 has no NOT that stands alone')
    default: {
      const { field, text } = condition as Contains
      return `(${field} : "${words(text).join(' ')}")`
    }
  }
}
