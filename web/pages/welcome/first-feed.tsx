import { type FormEvent, useState } from 'react'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { Field } from '../../ui/field.tsx'
import { Failure } from '../../ui/notice.tsx'
import { Preview } from '../queries/preview.tsx'
import '../queries/queries.css'
import { firstQuery } from './first-query.ts'

export function FirstFeed({ onMade }: { readonly onMade: (name: string) => void }) {
  const [title, setTitle] = useState('My first feed')
  const [words, setWords] = useState('')
  const text = firstQuery(title, words)
  const save = useAction(async () => {
    const { done } = await call('applyQueries', { body: { text, backFill: '30d' } })
    const change = done[0]
    if (change) onMade(change.name)
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.run()
  }
  return (
    <div className="query-grid">
      <form className="panel stack" onSubmit={submit}>
        <h2>What do you want to hear of?</h2>
        <p className="muted">A query feed takes from all sources what you ask for, and is a feed itself.</p>
        <Field label="Title">
          {(ids) => <input {...ids} required value={title} onChange={(event) => setTitle(event.target.value)} />}
        </Field>
        <Field label="Words" help="Separated by commas; empty: everything.">
          {(ids) => <input {...ids} value={words} onChange={(event) => setWords(event.target.value)} />}
        </Field>
        <details>
          <summary>The query that this makes</summary>
          <pre>{text}</pre>
        </details>
        <Failure error={save.error} />
        <div>
          <button type="submit" className="button main" disabled={save.isRunning}>
            Make this feed
          </button>
        </div>
      </form>
      <Preview text={text} isReady={true} />
    </div>
  )
}
