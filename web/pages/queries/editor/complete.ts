import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete'
import type { Extension } from '@codemirror/state'
import type { Answer } from '../../../client/call.ts'

type Words = Answer<'queryWords'>
const MOST = 50

/** Names of sources, query feeds and categories come from the node, for what was begun. */
export function completion(words: (begins: string) => Promise<Words | null>): Extension {
  const source = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const quoted = context.matchBefore(/"[^"\n]*/)
    const word = quoted ?? context.matchBefore(/[\p{L}_][\p{L}\p{N}_-]*/u)
    if (word === null || (word.from === word.to && !context.explicit)) return null
    const begins = word.text.replace(/^"/, '')
    const found = await words(begins)
    if (found === null || context.aborted) return null
    const from = quoted ? word.from + 1 : word.from
    return { from, options: quoted ? inQuotes(found) : asWords(found), filter: true }
  }
  return autocompletion({ override: [source], icons: false, maxRenderedOptions: MOST })
}

function inQuotes({ sources, categories }: Words): Completion[] {
  return [
    ...categories.map((label) => ({ label, detail: 'category' })),
    ...sources.map((label) => ({ label, detail: 'source' })),
  ]
}

const NAME = /^[\p{L}_][\p{L}\p{N}_]*(?:-[\p{L}\p{N}_]+)*$/u

function asWords({ sources, feeds, fields, keywords }: Words): Completion[] {
  const isField = new Set(fields)
  return [
    ...fields.map((label) => ({ label, detail: 'field', boost: 2 })),
    ...feeds.map((label) => ({ label, detail: 'query feed', boost: 1 })),
    ...sources.filter((name) => NAME.test(name)).map((label) => ({ label, detail: 'source' })),
    ...keywords.filter((word) => !isField.has(word)).map((label) => ({ label, detail: 'word' })),
  ]
}
