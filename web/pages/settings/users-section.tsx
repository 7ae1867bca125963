import { type FormEvent, useState } from 'react'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { useCall } from '../../client/use-call.ts'
import { t } from '../../language/current.ts'
import { Field } from '../../ui/field.tsx'
import { Failure } from '../../ui/notice.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { Secret } from './secret.tsx'

export function UsersSection() {
  const users = useCall('listUsers', {})
  const [name, setName] = useState('')
  const [url, setUrl] = useState<string | null>(null)
  const invite = useAction(async () => {
    setUrl((await call('inviteUser', { body: { name } })).url)
    setName('')
    users.reload()
  })
  const remove = useAction(async (id: number) => {
    await call('removeUser', { params: { id } })
    users.reload()
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    invite.run()
  }
  return (
    <section className="panel stack">
      <h2>{t.settings.users}</h2>
      <ul className="lines">
        {users.data?.users.map((user) => (
          <li key={user.id} className="row apart">
            <span>
              {user.name} <span className="badge">{user.isInvited ? t.settings.invited : user.role}</span>{' '}
              <span className="small muted">{t.settings.seen({ when: <TimeAgo at={user.lastSeenAt} /> })}</span>
            </span>
            {user.role !== 'owner' && (
              <button type="button" className="button little danger" onClick={() => remove.run(user.id)}>
                {t.settings.remove}
              </button>
            )}
          </li>
        ))}
      </ul>
      {url !== null && <Secret title={t.settings.sendAddress} secret={url} />}
      <form className="stack tight" onSubmit={submit}>
        <Field label={t.settings.invite} help={t.settings.inviteHelp}>
          {(ids) => (
            <input
              {...ids}
              required
              autoComplete="off"
              placeholder={t.settings.namePlaceholder}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Failure error={users.error ?? invite.error ?? remove.error} />
        <div>
          <button type="submit" className="button" disabled={invite.isRunning}>
            {t.settings.inviteButton}
          </button>
        </div>
      </form>
    </section>
  )
}
