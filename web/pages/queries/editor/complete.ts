import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete'
import type { Extension } from '@codemirror/state'
import type { OperationAnswer } from '../../../client/call.ts'

type Words = OperationAnswer<'queryWords'>
const MOST = 50

/** Names of sources, query feeds and categories come from the node, for what was begun. */
export function completion(words: (begins: string) => Promise<Words | null>): Extension {
  const source = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const line = context.state.doc.lineAt(context.pos)
    const prefix = wordPrefix(line.text.slice(0, context.pos - line.from))
    if (prefix.text === '' && !context.explicit) return null
    const found = await words(prefix.text)
    if (found === null || context.aborted) return null
    const from = context.pos - prefix.text.length
    return { from, options: prefix.isQuoted ? inQuotes(found) : asWords(found), filter: true }
  }
  return autocompletion({ override: [source], icons: false, maxRenderedOptions: MOST })
}

/** What is before the cursor of a line: a text whose quote is still open, or a word. */
export function wordPrefix(before: string): { readonly text: string; readonly isQuoted: boolean } {
  const open = /^(?:[^"]|"(?:\\.|[^"\\])*")*"((?:\\.|[^"\\])*)$/.exec(before)
  if (open) return { text: open[1] ?? '', isQuoted: true }
  return { text: /[\p{L}_][\p{L}\p{N}_-]*$/u.exec(before)?.[0] ?? '', isQuoted: false }
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
