import type { QueryFormFields } from '../../../../src/api/operations/wire.ts'

export type FormOrigin = NonNullable<QueryFormFields['from']>[number]
type FormCondition = QueryFormFields['conditions'][number]

/** The statement that a form stands for, a condition in each line. The node makes the same form of it again. */
export function queryText(form: QueryFormFields): string {
  const title = form.title === null ? '' : ` TITLE ${quoted(form.title)}`
  const limit = form.limit === null ? '' : ` LIMIT ${form.limit}`
  const conditions = form.conditions.map(conditionText).filter((text) => text !== '')
  const lines = [
    `CREATE FEED ${form.name}${title}${limit} AS`,
    `RETURN ${form.from === null ? form.fromText : originsText(form.from)}`,
    ...form.joins,
    ...conditions.map((text, i) => (i === 0 ? `WHERE ${text}` : `  AND ${text}`)),
    ...(form.distinct === null ? [] : [distinctText(form.distinct)]),
    ...form.ending,
  ]
  return `${lines.join('\n')};\n`
}

function originsText(from: readonly FormOrigin[]): string {
  return from.length === 0 ? 'ALL' : from.map(originText).join(' | ')
}

function originText(origin: FormOrigin): string {
  if (origin.kind === 'all') return 'ALL'
  if (origin.kind === 'category') return `CATEGORY ${quoted(origin.category)}`
  return origin.kind === 'url' ? quoted(origin.url) : origin.name
}

function conditionText(condition: FormCondition): string {
  if (condition.kind === 'text') return condition.text
  const { field, isNot, words } = condition
  const [first, ...others] = words.map(quoted)
  if (first === undefined) return ''
  const contains = `${field} CONTAINS ${[first, ...others].join(' OR ')}`
  const whole = others.length === 0 ? contains : `(${contains})`
  return isNot ? `NOT ${whole}` : whole
}

function distinctText({ by, threshold, window }: NonNullable<QueryFormFields['distinct']>): string {
  return `DISTINCT BY ${by}${threshold === null ? '' : ` > ${threshold}`} ${window}`.trim()
}

function quoted(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n').replaceAll('\t', '\\t')
  return `"${escaped}"`
}

/** Names are letters, digits and single hyphens, and begin with a letter. */
export function feedNameFrom(title: string): string {
  const plain = title
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^[-\p{N}]+|-+$/gu, '')
    .toLowerCase()
  // Behind the hyphen it cannot be a word of the language.
  return plain === '' ? 'my-feed' : plain.includes('-') ? plain : `${plain}-feed`
}
