import { t } from '../../language/current.ts'
import { Field } from '../../ui/field.tsx'
import { policyGroups } from '../lab/policies.ts'
import { QualityControl } from './quality-control.tsx'
import { type ControlProps, draftOf, partsOf, UNITS_OF } from './setting-draft.ts'
import { fixedWords, settingHelp, settingTitle, settingUnit } from './setting-words.ts'

const unitWords = (): Readonly<Record<string, string>> => ({
  d: t.settings.days,
  h: t.settings.hours,
  min: t.settings.minutes,
  s: t.settings.seconds,
  ms: t.settings.milliseconds,
})
const perWords = () =>
  [
    ['day', t.settings.aDay],
    ['hour', t.settings.anHour],
    ['min', t.settings.aMinute],
    ['s', t.settings.aSecond],
  ] as const

/** The control that fits the kind of a setting, with its unit beside it and what is wrong below it. */
export function SettingControl(props: ControlProps) {
  const { setting, draft, mistake, onChange } = props
  const { form } = setting
  if (form.kind === 'quality') return <QualityControl {...props} />
  if (form.kind === 'boolean') {
    return (
      <label className="tick">
        <input
          type="checkbox"
          checked={draft === 'true'}
          disabled={setting.isFixed}
          onChange={(event) => onChange(String(event.target.checked))}
        />
        <span>{settingHelp(setting)}</span>
      </label>
    )
  }
  return (
    <Field label={settingTitle(setting)} help={<Help setting={setting} draft={draft} mistake={mistake} />}>
      {(ids) => <Input {...props} ids={{ ...ids, 'aria-invalid': mistake !== null, disabled: setting.isFixed }} />}
    </Field>
  )
}

function Help({ setting, draft, mistake }: Pick<ControlProps, 'setting' | 'draft' | 'mistake'>) {
  const { fixedBecause, from } = setting
  const isUnset = draft === '' && draftOf(setting) === ''
  return (
    <>
      {mistake !== null && <span className="mistake">{mistake} </span>}
      {settingHelp(setting)}.{fixedBecause !== null && t.settings.cannotChange({ why: fixedWords(fixedBecause) })}
      {fixedBecause === null && from === 'default' && !isUnset && t.settings.isDefault}
    </>
  )
}

interface InputProps extends ControlProps {
  readonly ids: { readonly id: string; readonly 'aria-invalid': boolean; readonly disabled: boolean }
}

function Input(props: InputProps) {
  const { setting, draft, names, ids, onChange } = props
  const { kind, choices, unit } = setting.form
  if (kind === 'duration' || kind === 'bytes') return <Amount {...props} units={UNITS_OF[kind]} />
  if (kind === 'budget') return <Budget {...props} />
  if (kind === 'strategy') return <Strategies {...props} />
  const options = kind === 'estimator' ? names.estimator : choices
  if (options !== null) {
    return (
      <select {...ids} value={draft} onChange={(event) => onChange(event.target.value)}>
        {options.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    )
  }
  const word = kind === 'share' ? '%' : settingUnit(unit)
  return (
    <div className="amount">
      <input
        {...ids}
        className={kind === 'number' || kind === 'share' ? 'number' : ''}
        inputMode={kind === 'number' || kind === 'share' ? 'decimal' : 'text'}
        placeholder={t.settings.notSet}
        autoCapitalize="none"
        spellCheck={false}
        value={draft}
        onChange={(event) => onChange(event.target.value)}
      />
      {word !== null && <span>{word}</span>}
    </div>
  )
}

/** In the groups of the Lab, which compares them. */
function Strategies({ draft, names, ids, onChange }: InputProps) {
  const groups = policyGroups(names.strategy)
  const words = groups.flatMap(({ policies }) => policies).find(({ id }) => id === draft)?.words
  return (
    <>
      <select {...ids} value={draft} onChange={(event) => onChange(event.target.value)}>
        {groups.map(({ title, policies }) => (
          <optgroup key={title} label={title}>
            {policies.map(({ id }) => (
              <option key={id}>{id}</option>
            ))}
          </optgroup>
        ))}
      </select>
      {words !== undefined && (
        <span className="help">
          {draft}: {words}.
        </span>
      )}
    </>
  )
}

function Amount({ setting, draft, ids, units, onChange }: InputProps & { readonly units: readonly string[] }) {
  const { amount, unit } = partsOf(draft, units)
  const usual = partsOf(draftOf(setting), units).unit ?? units[0] ?? ''
  const chosen = unit ?? usual
  return (
    <div className="amount">
      <input
        {...ids}
        className="number"
        inputMode="decimal"
        placeholder={t.settings.notSet}
        value={amount}
        onChange={(event) => onChange(event.target.value.trim() === '' ? '' : `${event.target.value.trim()}${chosen}`)}
      />
      <UnitChoice
        label={t.settings.unitOf({ title: settingTitle(setting) })}
        isDisabled={ids.disabled}
        units={[...new Set([...units, chosen])].map((name) => [name, unitWords()[name] ?? name])}
        chosen={chosen}
        onChoose={(name) => onChange(amount === '' ? '' : `${amount}${name}`)}
      />
    </div>
  )
}

function Budget({ draft, ids, onChange }: InputProps) {
  const [amount = '', per = 'min'] = draft.split('/')
  return (
    <div className="amount">
      <input
        {...ids}
        className="number"
        inputMode="decimal"
        value={amount}
        onChange={(event) => onChange(`${event.target.value.trim()}/${per}`)}
      />
      <UnitChoice
        label={t.settings.inWhichTime}
        isDisabled={ids.disabled}
        units={perWords()}
        chosen={per}
        onChoose={(unit) => onChange(`${amount}/${unit}`)}
      />
    </div>
  )
}

interface UnitChoiceProps {
  readonly label: string
  readonly isDisabled: boolean
  /** As they are written, and in words. */
  readonly units: readonly (readonly [string, string])[]
  readonly chosen: string
  readonly onChoose: (unit: string) => void
}

function UnitChoice({ label, isDisabled, units, chosen, onChoose }: UnitChoiceProps) {
  return (
    <select aria-label={label} disabled={isDisabled} value={chosen} onChange={(event) => onChoose(event.target.value)}>
      {units.map(([unit, words]) => (
        <option key={unit} value={unit}>
          {words}
        </option>
      ))}
    </select>
  )
}
