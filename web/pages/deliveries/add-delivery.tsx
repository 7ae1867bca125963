import { type FormEvent, useState } from 'react'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { useCall } from '../../client/use-call.ts'
import { Field } from '../../ui/field.tsx'
import { Failure } from '../../ui/notice.tsx'
import { Secret } from '../settings/secret.tsx'

const KINDS = {
  webhook: { name: 'Webhook', field: 'Address that is called', placeholder: 'https://example.org/hook' },
  mail: { name: 'Mail', field: 'Mail address', placeholder: 'me@example.org' },
  file: { name: 'File', field: 'Path below the folder of files', placeholder: 'news/today.jsonl' },
} as const
type Kind = keyof typeof KINDS

const MINUTE_MS = 60_000

export function AddDelivery({ onAdded }: { readonly onAdded: () => void }) {
  const feeds = useCall('listQueryFeeds', {})
  const own = (feeds.data?.feeds ?? []).filter(({ isMine }) => isMine)
  const [feed, setFeed] = useState('')
  const [kind, setKind] = useState<Kind>('webhook')
  const [target, setPlace] = useState('')
  const [minutes, setMinutes] = useState('')
  const [secret, setSecret] = useState<string | null>(null)
  const add = useAction(async () => {
    const everyMs = minutes.trim() === '' ? null : Number(minutes) * MINUTE_MS
    const subscription = await call('subscribe', { body: { feed, output: outputOf(kind, target.trim()), everyMs } })
    setSecret(kind === 'webhook' ? subscription.secret : null)
    setPlace('')
    onAdded()
  })
  if (feeds.data === null || own.length === 0) return null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.run()
  }
  return (
    <form className="stack tight" onSubmit={submit}>
      <h3>Send a query feed</h3>
      <div className="delivery-fields">
        <Field label="Query feed">
          {(ids) => (
            <select {...ids} required value={feed} onChange={(event) => setFeed(event.target.value)}>
              <option value="">Choose …</option>
              {own.map(({ name, title }) => (
                <option key={name} value={name}>
                  {title ?? name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="To">
          {(ids) => (
            <select {...ids} value={kind} onChange={(event) => setKind(event.target.value as Kind)}>
              {Object.entries(KINDS).map(([name, words]) => (
                <option key={name} value={name}>
                  {words.name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={KINDS[kind].field}>
          {(ids) => (
            <input
              {...ids}
              required
              placeholder={KINDS[kind].placeholder}
              autoCapitalize="none"
              spellCheck={false}
              value={target}
              onChange={(event) => setPlace(event.target.value)}
            />
          )}
        </Field>
        <Field label="Every … minutes" help="Empty: each item at once.">
          {(ids) => (
            <input
              {...ids}
              inputMode="numeric"
              pattern="\d{1,6}"
              value={minutes}
              onChange={(event) => setMinutes(event.target.value)}
            />
          )}
        </Field>
      </div>
      <Failure error={add.error} />
      <div>
        <button type="submit" className="button" disabled={add.isRunning}>
          Send it
        </button>
      </div>
      {secret !== null && <Secret title="Its messages are signed with this, shown once" secret={secret} />}
    </form>
  )
}

function outputOf(kind: Kind, target: string) {
  if (kind === 'webhook') return { kind, url: target }
  return kind === 'mail' ? { kind, address: target } : { kind, path: target }
}
