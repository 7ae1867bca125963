import { parseUrl } from '../runtime/parse-url.ts'
import type { LetterList } from './letter.ts'

const LONGEST_URL = 2_000
const LONGEST_ID = 255

/** `header`: the value of the first header of this name, unfolded; null: there is none. */
export function readListHeaders(header: (name: string) => string | null): LetterList {
  return {
    id: listId(header('list-id')),
    unsubscribeUrl: firstUrl(header('list-unsubscribe'), ['https:', 'http:', 'mailto:']),
    archivedAt: firstUrl(header('archived-at'), ['https:', 'http:']),
  }
}

/** `News of the week <news.example.org>`: what is in brackets is the name, the rest is for people. */
function listId(value: string | null): string | null {
  const id = (/<([^<>]*)>/.exec(value ?? '')?.[1] ?? value ?? '').trim()
  return id === '' || id.length > LONGEST_ID ? null : id
}

/** Of several addresses in brackets, one of the scheme that is named first. */
function firstUrl(value: string | null, protocols: readonly string[]): string | null {
  const urls = [...(value ?? '').matchAll(/<\s*([^<>\s]+)\s*>/g)].flatMap(([, text = '']) => urlOf(text))
  for (const protocol of protocols) {
    const url = urls.find((one) => one.protocol === protocol)
    if (url !== undefined) return url.href
  }
  return null
}

function urlOf(text: string): URL[] {
  const url = text.length <= LONGEST_URL ? parseUrl(text) : null
  return url === null ? [] : [url]
}
