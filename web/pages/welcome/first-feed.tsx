import { type FormEvent, useState } from 'react'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { t } from '../../language/current.ts'
import { Field } from '../../ui/field.tsx'
import { Failure } from '../../ui/notice.tsx'
import { Preview } from '../queries/preview.tsx'
import '../queries/queries.css'
import { firstQuery } from './first-query.ts'

export function FirstFeed({ onMade }: { readonly onMade: (name: string) => void }) {
  const [title, setTitle] = useState(t.welcome.myFirstFeed)
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
    <div className="stack">
      <form className="panel stack" onSubmit={submit}>
        <h2>{t.welcome.whatToHear}</h2>
        <p className="muted">{t.welcome.whatIsQueryFeed}</p>
        <Field label={t.welcome.title}>
          {(ids) => <input {...ids} required value={title} onChange={(event) => setTitle(event.target.value)} />}
        </Field>
        <Field label={t.welcome.words} help={t.welcome.wordsHelp}>
          {(ids) => <input {...ids} value={words} onChange={(event) => setWords(event.target.value)} />}
        </Field>
        <details>
          <summary>{t.welcome.theQuery}</summary>
          <pre>{text}</pre>
        </details>
        <Failure error={save.error} />
        <div>
          <button type="submit" className="button main" disabled={save.isRunning}>
            {t.welcome.makeFeed}
          </button>
        </div>
      </form>
      <Preview text={text} isReady={true} />
    </div>
  )
}
