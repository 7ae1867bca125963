import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { useCall } from '../../client/use-call.ts'
import { Field } from '../../ui/field.tsx'
import { Failure } from '../../ui/notice.tsx'
import { Secret } from '../settings/secret.tsx'

const KINDS = {
  webhook: { name: 'Webhook', field: 'Address that is called', placeholder: 'https://example.org/hook', type: 'url' },
  mail: { name: 'Mail', field: 'Mail address', placeholder: 'me@example.org', type: 'email' },
  file: { name: 'File', field: 'Path below the folder of files', placeholder: 'news/today.jsonl', type: 'text' },
} as const
type Kind = keyof typeof KINDS

const HOUR_MS = 3_600_000
/** Milliseconds between two batches; 0: none. */
const WHEN = [
  ['0', 'each item at once'],
  [String(HOUR_MS / 4), 'every 15 minutes'],
  [String(HOUR_MS), 'every hour'],
  [String(6 * HOUR_MS), 'every 6 hours'],
  [String(24 * HOUR_MS), 'once a day'],
  [String(7 * 24 * HOUR_MS), 'once a week'],
] as const

export function AddDelivery({ onAdded }: { readonly onAdded: () => void }) {
  const feeds = useCall('listQueryFeeds', {})
  const own = (feeds.data?.feeds ?? []).filter(({ isMine }) => isMine)
  const [feed, setFeed] = useState('')
  const [kind, setKind] = useState<Kind>('webhook')
  const [target, setPlace] = useState('')
  const [everyMs, setEveryMs] = useState<string>('0')
  const [secret, setSecret] = useState<string | null>(null)
  const add = useAction(async () => {
    const output = outputOf(kind, target.trim())
    const body = { feed, output, everyMs: everyMs === '0' ? null : Number(everyMs) }
    const subscription = await call('subscribe', { body })
    setSecret(kind === 'webhook' ? subscription.secret : null)
    setPlace('')
    onAdded()
  })
  if (feeds.data === null) return null
  if (own.length === 0) return <NoFeeds />
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.run()
  }
  return (
    <form className="stack tight delivery-form" onSubmit={submit}>
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
              type={KINDS[kind].type}
              placeholder={KINDS[kind].placeholder}
              autoCapitalize="none"
              spellCheck={false}
              value={target}
              onChange={(event) => setPlace(event.target.value)}
            />
          )}
        </Field>
        <Field label="When">
          {(ids) => (
            <select {...ids} value={everyMs} onChange={(event) => setEveryMs(event.target.value)}>
              {WHEN.map(([ms, words]) => (
                <option key={ms} value={ms}>
                  {words}
                </option>
              ))}
            </select>
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

function NoFeeds() {
  return (
    <p className="muted">
      Only query feeds of your own can be sent. <Link href="/new-query">Make one</Link> first.
    </p>
  )
}

function outputOf(kind: Kind, target: string) {
  if (kind === 'webhook') return { kind, url: target }
  return kind === 'mail' ? { kind, address: target } : { kind, path: target }
}
