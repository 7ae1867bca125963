import { HeadwaterError } from '../../runtime/errors.ts'
import { parseUrl } from '../../runtime/parse-url.ts'
import { compileRule } from './meaning.ts'
import { BadPattern, placesIn } from './pattern.ts'
import type { CompiledRule } from './rule.ts'

/** A rule that somebody made for themselves, or for all. */
export interface OwnRule {
  readonly name: string
  readonly match: string
  readonly give: readonly string[]
}

const LONGEST_NAME = 100
const LONGEST_FORM = 500
const MOST_GIVEN = 5

/** Ready for use. Throws ADDRESS_RULE_INVALID, with what is wrong. */
export function checkOwnRule({ name, match, give }: OwnRule): CompiledRule {
  const wrong = (what: string) => new HeadwaterError('ADDRESS_RULE_INVALID', what)
  if (name.trim() === '' || name.length > LONGEST_NAME) throw wrong(`its name has 1 to ${LONGEST_NAME} characters`)
  if (give.length === 0 || give.length > MOST_GIVEN) throw wrong(`it gives 1 to ${MOST_GIVEN} addresses`)
  for (const text of [match, ...give]) {
    if (text.length > LONGEST_FORM) throw wrong(`"${text.slice(0, 40)}…" is longer than ${LONGEST_FORM} characters`)
  }
  const rule = compiled({ name, match: match.trim().replace(/^https?:\/\//i, ''), give }, wrong)
  const names = new Set(['origin', ...rule.patterns.flatMap((pattern) => pattern.names)])
  for (const template of give) {
    const unknown = placesIn(template).find((one) => !names.has(one))
    if (unknown !== undefined) throw wrong(`"${template}" needs {${unknown}}, which "${match}" does not have`)
    if (!/^(?:https?:\/\/[^/?#]|\{origin\}(?:[/?]|$))/i.test(template)) {
      throw wrong(`"${template}" does not begin with https://, http:// or {origin}`)
    }
    const filled = template.replace('{origin}', 'https://a.example').replace(/\{[a-z]+(?:\.\.\.)?\}/g, 'a')
    if (/[{}]/.test(filled) || parseUrl(filled) === null) throw wrong(`"${template}" is no address`)
  }
  return rule
}

function compiled({ name, match, give }: OwnRule, wrong: (what: string) => HeadwaterError): CompiledRule {
  try {
    return compileRule({ name, match: [match], give })
  } catch (error) {
    if (error instanceof BadPattern) throw wrong(`"${match}": ${error.message}`)
    throw error
  }
}
