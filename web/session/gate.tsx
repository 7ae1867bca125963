import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { BASE } from '../client/base.ts'
import { useAction } from '../client/use-action.ts'
import { t } from '../language/current.ts'
import { Field } from '../ui/field.tsx'
import { LanguageChoice } from '../ui/language-choice.tsx'
import { Failure } from '../ui/notice.tsx'

interface GateProps {
  readonly title: string
  readonly intro: ReactNode
  readonly button: string
  /** The initial name; null: there is no field for it. */
  readonly name: string | null
  /** Chosen now, so it has to be long enough. */
  readonly isNewPassword: boolean
  readonly onEnter: (name: string, password: string) => Promise<void>
}

const SHORTEST_PASSWORD = 10

/** The form in front of the node: first start, log-in and invitation look alike. */
export function Gate({ title, intro, button, name: firstName, isNewPassword, onEnter }: GateProps) {
  const [name, setName] = useState(firstName ?? '')
  const [password, setPassword] = useState('')
  const enter = useAction(onEnter)
  useEffect(() => {
    document.title = t.common.titleOf({ title })
  }, [title])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    enter.run(name, password)
  }
  return (
    <main className="gate">
      <form className="panel stack" onSubmit={submit}>
        <div className="row">
          <img src={`${BASE}/icon.svg`} alt="" width="36" height="36" />
          <h1>{title}</h1>
        </div>
        <p className="muted">{intro}</p>
        {firstName !== null && (
          <Field label={t.session.name}>
            {(ids) => (
              <input
                {...ids}
                autoComplete="username"
                autoCapitalize="none"
                required
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
            )}
          </Field>
        )}
        <Field
          label={t.session.password}
          {...(isNewPassword ? { help: t.session.atLeast({ characters: SHORTEST_PASSWORD }) } : {})}
        >
          {(ids) => (
            <input
              {...ids}
              type="password"
              autoComplete={isNewPassword ? 'new-password' : 'current-password'}
              required
              minLength={isNewPassword ? SHORTEST_PASSWORD : 1}
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        <Failure error={enter.error} />
        <button type="submit" className="button main" disabled={enter.isRunning}>
          {button}
        </button>
      </form>
      <LanguageChoice />
    </main>
  )
}
