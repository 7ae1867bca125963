import { useState } from 'react'
import { useCall } from '../../../client/use-call.ts'
import { t } from '../../../language/current.ts'
import { useSettledValue } from '../use-settled.ts'
import type { FormOrigin } from './query-text.ts'
import { WordField } from './word-field.tsx'

const OFFER_AFTER_MS = 150
/** As the language takes it without quotes. */
const NAME = /^[\p{L}_][\p{L}\p{N}_]*(?:-[\p{L}\p{N}_]+)*$/u
const ADDRESS = /^https?:\/\/\S+$/i

interface OriginFieldProps {
  readonly from: readonly FormOrigin[]
  readonly onChange: (from: FormOrigin[]) => void
}

/** Folders, query feeds, named sources and addresses; none of them means everything. */
export function OriginField({ from, onChange }: OriginFieldProps) {
  const [typed, setTyped] = useState('')
  const begins = useSettledValue(typed, OFFER_AFTER_MS)
  const offers = useCall('queryWords', { query: { begins, limit: 20 } }).data
  const folders = useCall('listCategories', {}).data?.categories.map(({ category }) => category) ?? []
  const shown = from.filter(({ kind }) => kind !== 'all')
  const names = [...(offers?.feeds ?? []), ...(offers?.sources ?? []).filter((name) => NAME.test(name))]
  return (
    <WordField
      label={t.queries.keepFrom}
      words={shown.map(wordsOf)}
      placeholder={shown.length === 0 ? t.queries.everywhere : t.queries.addOrigin}
      offers={[...new Set([...(offers?.categories ?? []), ...names])]}
      onTyped={setTyped}
      problemOf={(word) =>
        folders.includes(word) || ADDRESS.test(word) || NAME.test(word) ? null : t.queries.noFolder
      }
      onChange={(words) => onChange(words.map((word) => originCalled(word, shown, folders)))}
    />
  )
}

function originCalled(word: string, shown: readonly FormOrigin[], folders: readonly string[]): FormOrigin {
  const known = shown.find((origin) => wordsOf(origin) === word)
  if (known !== undefined) return known
  if (folders.includes(word)) return { kind: 'category', category: word }
  return ADDRESS.test(word) ? { kind: 'url', url: word } : { kind: 'name', name: word }
}

function wordsOf(origin: FormOrigin): string {
  if (origin.kind === 'category') return origin.category
  if (origin.kind === 'url') return origin.url
  return origin.kind === 'name' ? origin.name : ''
}
