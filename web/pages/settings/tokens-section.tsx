import { type FormEvent, useState } from 'react'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { useCall } from '../../client/use-call.ts'
import { t } from '../../language/current.ts'
import { useSession } from '../../session/session.tsx'
import { Field } from '../../ui/field.tsx'
import { Failure } from '../../ui/notice.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { cameFrom } from './origin.ts'
import { Secret } from './secret.tsx'

type TokenScope = 'read' | 'write' | 'admin' | 'feed' | 'app' | 'fever'

const scopes = (): readonly (readonly [TokenScope, string])[] => [
  ['app', t.settings.scopeApp],
  ['feed', t.settings.scopeFeed],
  ['read', t.settings.scopeRead],
  ['write', t.settings.scopeWrite],
  ['admin', t.settings.scopeAdmin],
  ['fever', t.settings.scopeFever],
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
      <h2>{t.settings.tokens}</h2>
      <p className="small muted">{t.settings.tokensLead}</p>
      <ul className="lines">
        {tokens.data?.tokens.map((token) => (
          <li key={token.id} className="row apart">
            <span>
              {token.label ?? t.settings.token({ id: token.id })} <span className="badge">{token.scope}</span>{' '}
              <span className="small muted">
                {t.settings.used({ when: <TimeAgo at={token.lastUsedAt} /> })}
                {token.lastUsedAt !== null && t.settings.usedBy({ what: cameFrom(token) })}
              </span>
            </span>
            <button type="button" className="button little danger" onClick={() => remove.run(token.id)}>
              {t.settings.takeBack}
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
            {t.settings.takeAllBack}
          </button>
        </div>
      )}
      {secret !== null && <Secret title={t.settings.yourToken} secret={secret} />}
      <form className="stack tight" onSubmit={submit}>
        <Field label={t.settings.whatFor}>
          {(ids) => <input {...ids} value={label} onChange={(event) => setLabel(event.target.value)} />}
        </Field>
        <Field label={t.settings.scope}>
          {(ids) => (
            <select {...ids} value={scope} onChange={(event) => setScope(event.target.value as TokenScope)}>
              {scopes()
                .filter(([name]) => name !== 'admin' || can('admin'))
                .map(([name, words]) => (
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
            {t.settings.makeToken}
          </button>
        </div>
      </form>
    </section>
  )
}
