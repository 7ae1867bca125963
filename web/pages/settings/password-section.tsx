import { type FormEvent, useState } from 'react'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { t } from '../../language/current.ts'
import { Field } from '../../ui/field.tsx'
import { Failure } from '../../ui/notice.tsx'

const SHORTEST = 10

export function PasswordSection() {
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const [isDone, setDone] = useState(false)
  const change = useAction(async () => {
    await call('changePassword', { body: { current, password } })
    setCurrent('')
    setPassword('')
    setDone(true)
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setDone(false)
    change.run()
  }
  return (
    <section className="panel stack">
      <h2>{t.session.password}</h2>
      <form className="stack tight" onSubmit={submit}>
        <Field label={t.settings.passwordNow}>
          {(ids) => (
            <input
              {...ids}
              type="password"
              autoComplete="current-password"
              required
              value={current}
              onChange={(event) => setCurrent(event.target.value)}
            />
          )}
        </Field>
        <Field label={t.settings.newPassword} help={t.settings.passwordHelp({ n: SHORTEST })}>
          {(ids) => (
            <input
              {...ids}
              type="password"
              autoComplete="new-password"
              required
              minLength={SHORTEST}
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        <Failure error={change.error} />
        <div className="row">
          <button type="submit" className="button" disabled={change.isRunning}>
            {t.settings.changePassword}
          </button>
          <span role="status">{isDone && t.settings.changed}</span>
        </div>
      </form>
    </section>
  )
}
