import { type FormEvent, useState } from 'react'
import { call, type OperationAnswer } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { useCall } from '../../client/use-call.ts'
import { Failure, Loading } from '../../ui/notice.tsx'

type Setting = OperationAnswer<'listSettings'>['settings'][number]

/** Have a form of their own. */
const ELSEWHERE: ReadonlySet<string> = new Set(['budget', 'quality', 'strategy', 'estimator'])

/** Politeness, retention and everything else that can be given in headwater.json. */
export function NodeSettingsSection() {
  const { data, error, reload } = useCall('listSettings', {})
  const rows = (data?.settings ?? []).filter(({ name }) => !ELSEWHERE.has(name))
  const needsRestart = data?.settings.some(({ kept }) => kept !== undefined)
  return (
    <section className="panel stack wide">
      <h2>All settings</h2>
      <p className="small muted">
        Saved in headwater.json. What is given as a flag or in the environment is fixed here.
      </p>
      <Failure error={error} />
      {data === null && error === null && <Loading what="the settings" />}
      {needsRestart && <p className="notice warn">Some changes begin with the next start of the node.</p>}
      <div>
        {rows.map((setting) => (
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
  const stands = textOf(setting.name, setting.kept === undefined ? setting.value : setting.kept)
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
      <SettingLabel id={id} setting={setting} />
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

/** Lengths of time, which are stored in words as well as in milliseconds. */
const DURATIONS = /Interval$|Spacing$|[tT]imeout$|For$|^checkpoint$/
const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const

function textOf(name: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' && DURATIONS.test(name)) return durationText(value)
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

/** As it may be written back: 90s, 5min, 7d. */
function durationText(ms: number): string {
  const [sizeMs, unit] = UNITS.find(([size]) => ms >= size && ms % size === 0) ?? [1, 'ms']
  return `${ms / sizeMs}${unit}`
}

function SettingLabel({ id, setting }: Pick<SettingLineProps, 'setting'> & { readonly id: string }) {
  return (
    <label htmlFor={id}>
      <strong>{setting.name}</strong> <span className="badge">{setting.from}</span>
      <div className="small muted">
        {setting.description}
        {setting.needsRestart && ' Needs a restart.'}
        {setting.fixedBecause !== null && ` Cannot be changed here: ${setting.fixedBecause}.`}
      </div>
    </label>
  )
}
