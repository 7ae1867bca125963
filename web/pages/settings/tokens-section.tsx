import { type FormEvent, useState } from 'react'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { useCall } from '../../client/use-call.ts'
import { useSession } from '../../session/session.tsx'
import { Field } from '../../ui/field.tsx'
import { Failure } from '../../ui/notice.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { cameFrom } from './origin.ts'
import { Secret } from './secret.tsx'

type TokenScope = 'read' | 'write' | 'admin' | 'feed' | 'app' | 'fever'

const SCOPES: readonly (readonly [TokenScope, string])[] = [
  ['app', 'app: the password of a reader app (Google Reader or Miniflux)'],
  ['feed', 'feed: opens private feeds, nothing else'],
  ['read', 'read: sees everything'],
  ['write', 'write: keeps query feeds, adds sources'],
  ['admin', 'admin: changes what all share'],
  ['fever', 'fever: for an app that knows nothing but Fever, whose key is weak'],
]

export function TokensSection() {
  const { can } = useSession()
  const tokens = useCall('listTokens', {})
  const [label, setLabel] = useState('')
  const [scope, setScope] = useState<TokenScope>('app')
  const [secret, setSecret] = useState<string | null>(null)
  const add = useAction(async () => {
    const token = await call('addToken', { body: { scope, label: label.trim() === '' ? null : label.trim() } })
    setSecret(token.secret)
    setLabel('')
    tokens.reload()
  })
  const remove = useAction(async (id: number) => {
    await call('removeToken', { params: { id } })
    tokens.reload()
  })
  const removeAll = useAction(async () => {
    await call('removeTokens')
    tokens.reload()
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.run()
  }
  return (
    <section className="panel stack">
      <h2>Tokens and app passwords</h2>
      <p className="small muted">
        For programs, feed readers and reader apps, instead of your password. An app asks for the address of this node,
        your name and an app password.
      </p>
      <ul className="lines">
        {tokens.data?.tokens.map((token) => (
          <li key={token.id} className="row apart">
            <span>
              {token.label ?? `token ${token.id}`} <span className="badge">{token.scope}</span>{' '}
              <span className="small muted">
                used <TimeAgo at={token.lastUsedAt} />
                {token.lastUsedAt !== null && ` by ${cameFrom(token)}`}
              </span>
            </span>
            <button type="button" className="button little danger" onClick={() => remove.run(token.id)}>
              Take back
            </button>
          </li>
        ))}
      </ul>
      {(tokens.data?.tokens.length ?? 0) > 1 && (
        <div>
          <button
            type="button"
            className="button danger"
            disabled={removeAll.isRunning}
            onClick={() => removeAll.run()}
          >
            Take all back
          </button>
        </div>
      )}
      {secret !== null && <Secret title="Your token, shown once" secret={secret} />}
      <form className="stack tight" onSubmit={submit}>
        <Field label="What it is for">
          {(ids) => <input {...ids} value={label} onChange={(event) => setLabel(event.target.value)} />}
        </Field>
        <Field label="Scope">
          {(ids) => (
            <select {...ids} value={scope} onChange={(event) => setScope(event.target.value as TokenScope)}>
              {SCOPES.filter(([name]) => name !== 'admin' || can('admin')).map(([name, words]) => (
                <option key={name} value={name}>
                  {words}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Failure error={tokens.error ?? add.error ?? remove.error ?? removeAll.error} />
        <div>
          <button type="submit" className="button" disabled={add.isRunning}>
            Make a token
          </button>
        </div>
      </form>
    </section>
  )
}
