import { useState } from 'react'
import type { ListingSuggestion } from '../../../src/api/operations/wire.ts'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { useCall } from '../../client/use-call.ts'
import { useDebounced } from '../../client/use-debounced.ts'
import { t } from '../../language/current.ts'
import { Field } from '../../ui/field.tsx'
import { Empty, Failure, Loading } from '../../ui/notice.tsx'
import { Segments } from '../../ui/segments.tsx'
import { ItemTitles } from './item-titles.tsx'
import { EMPTY_SELECTORS, listingOf, type SelectorForm, selectorsOf } from './selector-form.ts'

interface PagePickerProps {
  /** Of the page, as it was typed. */
  readonly url: string
  readonly categories: readonly string[]
  readonly onAdded: (id: number, name: string) => void
}

const kinds = () =>
  [
    ['list', t.sources.aList],
    ['element', t.sources.oneElement],
  ] as const

const fields = () =>
  [
    ['list', t.sources.items, t.sources.cssSelector],
    ['title', t.sources.titleWithin, t.sources.emptyHeading],
    ['link', t.sources.link, t.sources.emptyTitleLink],
    ['date', t.sources.date, t.sources.emptyTime],
    ['content', t.sources.text, t.sources.emptyNone],
  ] as const

const PREVIEW_AFTER_MS = 500

/** A page without a feed: lists that were found on it to choose from, selectors to edit, and what they find. */
export function PagePicker({ url, categories, onAdded }: PagePickerProps) {
  const found = useCall('suggestListings', { body: { url } })
  const [form, setForm] = useState<SelectorForm>(EMPTY_SELECTORS)
  const preview = usePreview(url)
  const add = useAction(async () => {
    const listing = listingOf(form)
    if (listing === null) return
    const { source } = await call('addSource', {
      body: { url: found.data?.url ?? url, listing, categories: [...categories] },
    })
    onAdded(source.id, source.name)
  })
  const change = (next: SelectorForm) => {
    setForm(next)
    preview.show(next)
  }
  if (found.isLoading) return <Loading what={t.sources.thePage} />
  if (found.data === null) return <Failure error={found.error} />
  return (
    <section className="stack" aria-label={t.sources.itemsOfPage}>
      <Suggestions suggestions={found.data.suggestions} form={form} onChoose={(one) => change(selectorsOf(one))} />
      <Segments
        legend={t.sources.whatToFollow}
        options={kinds()}
        value={form.kind}
        onChange={(kind) => change({ ...form, kind })}
      />
      <SelectorFields form={form} onChange={change} />
      <Failure error={preview.error ?? add.error} />
      {preview.items !== null && (
        <div className="stack tight" role="status" aria-label={t.sources.preview}>
          <strong>{t.sources.found({ items: t.common.items({ n: preview.count }) })}</strong>
          <ItemTitles items={preview.items} />
        </div>
      )}
      <div>
        <button
          type="button"
          className="button main"
          disabled={add.isRunning || listingOf(form) === null}
          onClick={() => add.run()}
        >
          {t.sources.followPage}
        </button>
      </div>
    </section>
  )
}

interface SuggestionsProps {
  readonly suggestions: readonly ListingSuggestion[]
  readonly form: SelectorForm
  readonly onChoose: (suggestion: ListingSuggestion) => void
}

function Suggestions({ suggestions, form, onChoose }: SuggestionsProps) {
  if (suggestions.length === 0) return <Empty title={t.sources.noListFound}>{t.sources.nameItems}</Empty>
  return (
    <>
      {suggestions.map((one) => (
        <article key={one.listing.list} className="found-feed stack tight">
          <div className="row apart">
            <code>{one.listing.list}</code>
            <button
              type="button"
              className="button little"
              aria-pressed={form.kind === 'list' && form.list === one.listing.list}
              onClick={() => onChoose(one)}
            >
              {t.sources.takeList}
            </button>
          </div>
          <p className="small muted">{t.common.items({ n: one.itemCount })}</p>
          <ItemTitles items={one.items} />
        </article>
      ))}
    </>
  )
}

interface SelectorFieldsProps {
  readonly form: SelectorForm
  readonly onChange: (form: SelectorForm) => void
}

function SelectorFields({ form, onChange }: SelectorFieldsProps) {
  const text = (name: Exclude<keyof SelectorForm, 'kind'>, label: string, help: string) => (
    <Field key={name} label={label} help={help}>
      {(ids) => (
        <input
          {...ids}
          autoCapitalize="none"
          spellCheck={false}
          value={form[name]}
          onChange={(event) => onChange({ ...form, [name]: event.target.value })}
        />
      )}
    </Field>
  )
  if (form.kind === 'element') return text('element', t.sources.element, t.sources.elementHelp)
  return <>{fields().map(([name, label, help]) => text(name, label, help))}</>
}

type Preview = { readonly count: number; readonly items: ListingSuggestion['items'] }

/** What the selectors find, a moment after they were changed. */
function usePreview(url: string) {
  const [wanted, setWanted] = useState<SelectorForm>(EMPTY_SELECTORS)
  const [preview, setPreview] = useState<Preview | null>(null)
  const look = useAction(async () => {
    const listing = listingOf(wanted)
    setPreview(null)
    if (listing === null) return
    const { itemCount, items } = await call('previewListing', { body: { url, listing } })
    setPreview({ count: itemCount, items })
  })
  const lookSoon = useDebounced(() => void look.run(), PREVIEW_AFTER_MS)
  const show = (form: SelectorForm) => {
    setWanted(form)
    lookSoon()
  }
  return { show, error: look.error, count: preview?.count ?? 0, items: preview?.items ?? null }
}
