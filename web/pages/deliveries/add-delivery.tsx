import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { useCall } from '../../client/use-call.ts'
import { t } from '../../language/current.ts'
import { Field } from '../../ui/field.tsx'
import { Failure } from '../../ui/notice.tsx'
import { Secret } from '../settings/secret.tsx'

const kinds = () =>
  ({
    webhook: {
      name: t.deliveries.webhook,
      field: t.deliveries.webhookField,
      placeholder: 'https://example.org/hook',
      type: 'url',
    },
    mail: { name: t.deliveries.mail, field: t.deliveries.mailField, placeholder: 'me@example.org', type: 'email' },
    file: { name: t.deliveries.file, field: t.deliveries.fileField, placeholder: 'news/today.jsonl', type: 'text' },
  }) as const
type Kind = keyof ReturnType<typeof kinds>

const HOUR_MS = 3_600_000
/** Milliseconds between two batches; 0: none. */
const times = () =>
  [
    ['0', t.deliveries.atOnce],
    [String(HOUR_MS / 4), t.deliveries.every15],
    [String(HOUR_MS), t.deliveries.everyHour],
    [String(6 * HOUR_MS), t.deliveries.every6],
    [String(24 * HOUR_MS), t.deliveries.onceADay],
    [String(7 * 24 * HOUR_MS), t.deliveries.onceAWeek],
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
      <h3>{t.deliveries.sendFeed}</h3>
      <div className="delivery-fields">
        <Field label={t.deliveries.queryFeed}>
          {(ids) => (
            <select {...ids} required value={feed} onChange={(event) => setFeed(event.target.value)}>
              <option value="">{t.deliveries.choose}</option>
              {own.map(({ name, title }) => (
                <option key={name} value={name}>
                  {title ?? name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={t.deliveries.to}>
          {(ids) => (
            <select {...ids} value={kind} onChange={(event) => setKind(event.target.value as Kind)}>
              {Object.entries(kinds()).map(([name, words]) => (
                <option key={name} value={name}>
                  {words.name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={kinds()[kind].field}>
          {(ids) => (
            <input
              {...ids}
              required
              type={kinds()[kind].type}
              placeholder={kinds()[kind].placeholder}
              autoCapitalize="none"
              spellCheck={false}
              value={target}
              onChange={(event) => setPlace(event.target.value)}
            />
          )}
        </Field>
        <Field label={t.deliveries.when}>
          {(ids) => (
            <select {...ids} value={everyMs} onChange={(event) => setEveryMs(event.target.value)}>
              {times().map(([ms, words]) => (
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
          {t.deliveries.sendIt}
        </button>
      </div>
      {secret !== null && <Secret title={t.deliveries.signed} secret={secret} />}
    </form>
  )
}

function NoFeeds() {
  return (
    <p className="muted">{t.deliveries.onlyOwn({ link: <Link href="/new-query">{t.deliveries.makeOne}</Link> })}</p>
  )
}

function outputOf(kind: Kind, target: string) {
  if (kind === 'webhook') return { kind, url: target }
  return kind === 'mail' ? { kind, address: target } : { kind, path: target }
}
