import type { Arguments } from '../../client/call.ts'

type GivenRule = Arguments<'trySiteRule'>['body']['rule']

/** A rule as it is typed: selectors one to a line. */
export interface SiteRuleForm {
  readonly name: string
  readonly hosts: string
  readonly content: string
  readonly title: string
  readonly author: string
  readonly date: string
  readonly remove: string
}

export const EMPTY_RULE: SiteRuleForm = {
  name: '',
  hosts: '',
  content: '',
  title: '',
  author: '',
  date: '',
  remove: '',
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** null: it says too little to be tried. */
export function ruleOf(form: SiteRuleForm): GivenRule | null {
  const [content, title, author, date, remove] = [form.content, form.title, form.author, form.date, form.remove].map(
    linesOf,
  )
  const hosts = form.hosts.split(/[\s,]+/).filter((host) => host !== '')
  const isSomething = [content, title, author, date, remove].some((lines) => lines !== undefined && lines.length > 0)
  if (form.name.trim() === '' || hosts.length === 0 || !isSomething) return null
  return { name: form.name.trim(), hosts, content, title, author, date, remove }
}

type SavedRule = Pick<GivenRule, 'name'> &
  Readonly<Record<'hosts' | 'content' | 'title' | 'author' | 'date' | 'remove', readonly string[]>>

export function formOf(rule: SavedRule): SiteRuleForm {
  const lines = (list: readonly string[]) => list.join('\n')
  return {
    name: rule.name,
    hosts: rule.hosts.join(', '),
    content: lines(rule.content),
    title: lines(rule.title),
    author: lines(rule.author),
    date: lines(rule.date),
    remove: lines(rule.remove),
  }
}
