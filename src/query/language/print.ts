import { entryAt } from '../../model/entry-at.ts'
import { DAY_MS, type DurationMs, HOUR_MS, MINUTE_MS, SECOND_MS, WEEK_MS } from '../../model/index.ts'
import type {
  Distinct,
  FeedQuery,
  Fulltext,
  ItemOrigin,
  Join,
  Moment,
  Order,
  Output,
  Predicate,
  QueryCondition,
  QueryStatement,
  ScoreTerm,
  SourceRef,
  WindowClause,
} from './ast.ts'

/** Canonical text: parsing it again gives the same meaning. */
export function printStatements(statements: readonly QueryStatement[]): string {
  return statements.map((statement) => `${printStatement(statement)};\n`).join('\n')
}

/** One statement in its canonical text, without a semicolon. */
export function printStatement(statement: QueryStatement): string {
  const { name } = statement.feed
  switch (statement.kind) {
    case 'register': {
      const category = statement.category === null ? '' : ` CATEGORY ${quoted(statement.category)}`
      const weight = statement.weight === null ? '' : ` WEIGHT ${decimal(statement.weight)}`
      return `REGISTER FEED ${quoted(statement.url)} AS ${name}${category}${weight}`
    }
    case 'create': {
      const title = statement.title === null ? '' : ` TITLE ${quoted(statement.title)}`
      const limit = statement.limit === null ? '' : ` LIMIT ${statement.limit}`
      return `CREATE FEED ${name}${title}${limit} AS\n${printQuery(statement.query)}`
    }
    case 'alter': {
      const { title, limit, category, weight, query } = statement
      const parts = [
        title === undefined ? '' : ` TITLE ${title === null ? 'NONE' : quoted(title)}`,
        limit === undefined ? '' : ` LIMIT ${limit ?? 'NONE'}`,
        category === undefined ? '' : ` CATEGORY ${category === null ? 'NONE' : quoted(category)}`,
        weight === undefined ? '' : ` WEIGHT ${decimal(weight)}`,
        query === undefined ? '' : ` AS\n${printQuery(query)}`,
      ]
      return `ALTER FEED ${name}${parts.join('')}`
    }
    case 'drop':
      return `DROP FEED ${name}`
    case 'subscribe': {
      const when = statement.everyMs === null ? 'IMMEDIATELY' : `EVERY ${printDuration(statement.everyMs)}`
      return `SUBSCRIBE TO ${name} OUTPUT ${printOutput(statement.output)} ${when}`
    }
    case 'unsubscribe':
      return `UNSUBSCRIBE FROM ${name}${statement.output === null ? '' : ` OUTPUT ${printOutput(statement.output)}`}`
  }
}

/** `RETURN …` in its canonical text. */
export function printQuery(query: FeedQuery): string {
  const { where, distinct } = query
  const { from, joins, ending } = printClauses(query)
  const lines = [`RETURN ${from}`, ...joins]
  if (where !== null) lines.push(`WHERE ${printCondition(where)}`)
  if (distinct !== null) lines.push(printDistinct(distinct))
  return [...lines, ...ending].join('\n')
}

interface PrintedClauses {
  readonly from: string
  readonly joins: readonly string[]
  /** Of DISTINCT; null: there is none. */
  readonly window: string | null
  readonly ending: readonly string[]
}

/** What stands around the condition, clause by clause. */
export function printClauses({ sources, joins, distinct, order, fulltext }: FeedQuery): PrintedClauses {
  return {
    from: unionsOf(sources).map(printUnion).join(' |\n       '),
    joins: joins.map(printJoin),
    window: distinct === null ? null : printWindow(distinct.window),
    ending: [
      ...(order === null ? [] : [printOrder(order)]),
      ...(fulltext === undefined ? [] : [printFulltext(fulltext)]),
    ],
  }
}

function printFulltext({ fetchesPages, waitMs }: Fulltext): string {
  return `FULLTEXT${fetchesPages ? ' FETCH' : ''}${waitMs === null ? '' : ` WAIT ${printDuration(waitMs)}`}`
}

function printOrder(order: Order): string {
  if (order.by !== 'SCORE') return `ORDER BY ${order.by}${order.descending ? ' DESC' : ''}`
  return `ORDER BY SCORE(${order.terms.map(printTerm).join(' + ')})${order.descending ? '' : ' ASC'}`
}

function printTerm({ factor, of, halfLifeMs }: ScoreTerm): string {
  const weighed = factor === 1 ? of : `${decimal(factor)} * ${of}`
  return halfLifeMs === null ? weighed : `${weighed} ${printDuration(halfLifeMs)}`
}

export function printOrigin(origin: ItemOrigin): string {
  if (origin.kind === 'url') return quoted(origin.url)
  if (origin.kind === 'category') return `CATEGORY ${quoted(origin.category)}`
  return origin.kind === 'all' ? 'ALL' : origin.name
}

/** A condition with the fewest parentheses that keep its meaning. */
export function printCondition(condition: QueryCondition): string {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const joiner = condition.kind === 'and' ? ' AND ' : ' OR '
      return condition.of
        .map((part) => (part.kind === 'or' ? `(${printCondition(part)})` : printCondition(part)))
        .join(joiner)
    }
    case 'not': {
      const inner = printCondition(condition.of)
      return condition.of.kind === 'and' || condition.of.kind === 'or' ? `NOT (${inner})` : `NOT ${inner}`
    }
    case 'scoped':
      return `$${condition.variable}[${printCondition(condition.of)}]`
    default:
      return printPredicate(condition)
  }
}

function printPredicate(predicate: Predicate): string {
  switch (predicate.kind) {
    case 'contains':
      return `${predicate.field} CONTAINS ${predicate.stemmed ? 'STEMMED ' : ''}${quoted(predicate.text)}`
    case 'equals': {
      const [first, ...others] = predicate.values.map(quoted)
      return others.length === 0
        ? `${predicate.field} = ${first}`
        : `${predicate.field} IN (${[first, ...others].join(', ')})`
    }
    case 'matches':
      return `${predicate.field} MATCHES /${predicate.pattern.replaceAll('/', '\\/')}/${predicate.ignoreCase ? 'i' : ''}`
    case 'published':
      return `PUBLISHED ${predicate.comparison} ${printMoment(predicate.moment)}`
    case 'count':
      return `COUNT(${predicate.field}) ${predicate.comparison} ${predicate.number}`
    case 'similar': {
      const { variable, field } = predicate.other
      return `${predicate.field} SIMILAR $${variable}.${field} > ${decimal(predicate.threshold)}`
    }
    case 'same':
      return `${predicate.field} = $${predicate.other.variable}.${predicate.other.field}`
  }
}

function printMoment(moment: Moment): string {
  if (moment.kind === 'absolute') return quoted(moment.text)
  return moment.agoMs === 0 ? 'NOW' : `NOW - ${printDuration(moment.agoMs)}`
}

/** Sources that share a variable stand side by side. */
function unionsOf(sources: readonly SourceRef[]): SourceRef[][] {
  const unions: SourceRef[][] = []
  for (const source of sources) {
    const last = unions.at(-1)
    if (source.variable !== null && last?.[0]?.variable === source.variable) last.push(source)
    else unions.push([source])
  }
  return unions
}

function printUnion(sources: readonly SourceRef[]): string {
  const { variable } = entryAt(sources, 0)
  const origins = sources.map(({ origin }) => printOrigin(origin)).join(' | ')
  if (variable === null) return origins
  return sources.length === 1 ? `${origins} AS $${variable}` : `(${origins}) AS $${variable}`
}

function printJoin({ negated, window, sources, condition }: Join): string {
  return `${negated ? 'NOT JOINED' : 'JOIN'} ${printWindow(window)} ON ${printUnion(sources)} WITH ${printCondition(condition)}`
}

function printDistinct({ by, threshold, window }: Distinct): string {
  return `DISTINCT BY ${by}${threshold === null ? '' : ` > ${decimal(threshold)}`} ${printWindow(window)}`
}

export function printWindow(window: WindowClause): string {
  return window.kind === 'items' ? `LAST ${window.count} ITEMS` : `LAST ${printDuration(window.lengthMs)}`
}

function printOutput(output: Output): string {
  if (output.kind === 'webhook') return `WEBHOOK ${quoted(output.url)}`
  return output.kind === 'file' ? `FILE ${quoted(output.path)}` : `MAIL ${quoted(output.address)}`
}

const UNITS = [
  ['WEEK', WEEK_MS],
  ['DAY', DAY_MS],
  ['HOUR', HOUR_MS],
  ['MINUTE', MINUTE_MS],
] as const

/** In the largest unit that divides it. */
function printDuration(ms: DurationMs): string {
  const [unit, length] = UNITS.find(([, unitMs]) => ms > 0 && ms % unitMs === 0) ?? ['SECOND', SECOND_MS]
  const amount = ms / length
  return `${decimal(amount)} ${unit}${amount === 1 ? '' : 'S'}`
}

/** Never in the form 1e-7, which the language does not know. */
function decimal(value: number): string {
  return value.toFixed(6).replace(/\.?0+$/, '')
}

function quoted(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n').replaceAll('\t', '\\t')
  return `"${escaped}"`
}
