import { HeadwaterError } from '../runtime/errors.ts'

/** An address (`news@example.org`), or all of a domain (`@example.org`); `*`: anybody. */
export type SenderRule = string

const ANYBODY: SenderRule = '*'

const RULE = /^(?:\*|[^\s@,<>]*@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)$/
const LONGEST_RULE = 320

/** As it is stored; throws USAGE. */
export function normalSender(text: string): SenderRule {
  const rule = text.trim().toLowerCase()
  if (rule.length > LONGEST_RULE || !RULE.test(rule))
    throw new HeadwaterError('USAGE', `"${text}" is no sender; write news@example.org, @example.org or *`)
  return rule
}

/** Nobody is allowed where there is no rule: the first sender becomes one (see the intake). */
export function isAllowedSender(address: string, rules: readonly SenderRule[]): boolean {
  const sender = address.toLowerCase()
  return rules.some((rule) => rule === ANYBODY || rule === sender || (rule.startsWith('@') && sender.endsWith(rule)))
}
