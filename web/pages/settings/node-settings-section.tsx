import { type FormEvent, useState } from 'react'
import { type Answer, call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { useCall } from '../../client/use-call.ts'
import { Failure, Loading } from '../../ui/notice.tsx'

type Setting = Answer<'listSettings'>['settings'][number]

/** Politeness, retention and everything else that can be given in headwater.json. */
export function NodeSettingsSection() {
  const { data, error, reload } = useCall('listSettings', {})
  const needsRestart = data?.settings.some(({ kept }) => kept !== undefined)
  return (
    <section className="panel stack wide">
      <h2>All settings</h2>
      <p className="small muted">
        Kept in headwater.json. What is given as a flag or in the environment is fixed here.
      </p>
      <Failure error={error} />
      {data === null && error === null && <Loading what="the settings" />}
      {needsRestart && <p className="notice warn">Some changes begin with the next start of the node.</p>}
      <div>
        {data?.settings.map((setting) => (
          <SettingLine key={setting.name} setting={setting} onSaved={reload} />
        ))}
      </div>
    </section>
  )
}

interface SettingLineProps {
  readonly setting: Setting
  readonly onSaved: () => void
}

function SettingLine({ setting, onSaved }: SettingLineProps) {
  const stands = textOf(setting.kept === undefined ? setting.value : setting.kept)
  const [text, setText] = useState(stands)
  const save = useAction(async (value: string | number | boolean | null | string[]) => {
    await call('setSettings', { body: { [setting.name]: value } })
    onSaved()
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.run(settingFrom(text, setting.value))
  }
  const id = `setting-${setting.name}`
  return (
    <form className="setting" onSubmit={submit}>
      <label htmlFor={id}>
        <strong>{setting.name}</strong> <span className="badge">{setting.from}</span>
        <div className="small muted">
          {setting.description}
          {setting.needsRestart && ' Needs a restart.'}
        </div>
      </label>
      <input id={id} value={text} disabled={setting.isFixed} onChange={(event) => setText(event.target.value)} />
      <span className="row">
        <button type="submit" className="button little" disabled={setting.isFixed || save.isRunning || text === stands}>
          Keep<span className="visually-hidden"> {setting.name}</span>
        </button>
      </span>
      <Failure error={save.error} />
    </form>
  )
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Of the kind that it was; empty goes back to the default. */
function settingFrom(text: string, before: unknown): string | number | boolean | null | string[] {
  const trimmed = text.trim()
  if (trimmed === '') return null
  if (Array.isArray(before)) return trimmed.split(/\s*,\s*/)
  if (typeof before === 'boolean') return trimmed === 'true'
  return typeof before === 'number' && Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed
}
