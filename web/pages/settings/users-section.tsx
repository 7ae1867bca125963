import { type FormEvent, useState } from 'react'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { useCall } from '../../client/use-call.ts'
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
      <h2>Users</h2>
      <ul className="lines">
        {users.data?.users.map((user) => (
          <li key={user.id} className="row apart">
            <span>
              {user.name} <span className="badge">{user.isInvited ? 'invited' : user.role}</span>{' '}
              <span className="small muted">
                seen <TimeAgo at={user.lastSeenAt} />
              </span>
            </span>
            {user.role !== 'owner' && (
              <button type="button" className="button little danger" onClick={() => remove.run(user.id)}>
                Remove
              </button>
            )}
          </li>
        ))}
      </ul>
      {url !== null && <Secret title="Send this address; it lasts a week and works once" secret={url} />}
      <form className="stack tight" onSubmit={submit}>
        <Field label="Invite somebody" help="They have query feeds, read and starred items and tokens of their own.">
          {(ids) => (
            <input
              {...ids}
              required
              autoComplete="off"
              placeholder="name"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Failure error={users.error ?? invite.error ?? remove.error} />
        <div>
          <button type="submit" className="button" disabled={invite.isRunning}>
            Invite
          </button>
        </div>
      </form>
    </section>
  )
}
