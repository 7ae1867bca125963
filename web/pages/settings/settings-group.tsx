import type { FormEvent, ReactNode } from 'react'
import type { Problem } from '../../../src/api/operations/wire.ts'
import type { OperationAnswer } from '../../client/call.ts'
import { useCall } from '../../client/use-call.ts'
import { phraseWords } from '../../format/told-words.ts'
import { t } from '../../language/current.ts'
import { Failure, Loading } from '../../ui/notice.tsx'
import { SaveBar } from '../../ui/save-bar.tsx'
import { SettingControl } from './setting-control.tsx'
import type { Setting } from './setting-draft.ts'
import { settingTitle } from './setting-words.ts'
import { useSettingsDraft } from './use-settings-draft.ts'

/** Beside what most people set: shown on request. */
const SHOWN_AT_ONCE = 6

interface SettingsGroupProps {
  readonly group: Setting['form']['group']
  /** On the button: Save budget. */
  readonly save: string
  readonly children?: ReactNode
}

/** The settings of one group with one Save. */
export function SettingsGroup({ group, save, children }: SettingsGroupProps) {
  const { data, error, reload } = useCall('listSettings', {})
  const budget = useCall('showBudget', {}).data
  const settings = data?.settings.filter(({ form }) => form.group === group) ?? []
  return (
    <section className="stack" aria-label={t.shell.pages.settings}>
      <Failure error={error} />
      {data === null && error === null && <Loading what={t.settings.theSettings} />}
      {data !== null && budget !== null && (
        <GroupForm settings={settings} budget={budget} save={save} onSaved={reload}>
          {children}
        </GroupForm>
      )}
    </section>
  )
}

interface GroupFormProps {
  readonly settings: readonly Setting[]
  readonly budget: OperationAnswer<'showBudget'>
  readonly save: string
  readonly onSaved: () => void
  readonly children?: ReactNode
}

function GroupForm({ settings, budget, save, onSaved, children }: GroupFormProps) {
  const draft = useSettingsDraft(settings, onSaved)
  const names = { strategy: budget.strategies, estimator: budget.estimators }
  const waiting = settings.filter(({ stored, needsRestart }) => needsRestart && stored !== undefined)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    draft.save.run()
  }
  const line = (setting: Setting) => (
    <div key={setting.name} className="setting">
      <div className="setting-name">
        <span aria-hidden={setting.form.kind !== 'boolean'}>{settingTitle(setting)}</span>
        <code className="small muted">{setting.name}</code>
      </div>
      <SettingControl
        setting={setting}
        draft={draft.draft(setting)}
        names={names}
        mistake={mistakeIn(draft.errors, setting.name)}
        onChange={(value) => draft.change(setting.name, value)}
      />
    </div>
  )
  return (
    <form className="stack" onSubmit={submit} noValidate>
      {waiting.length > 0 && (
        <p className="notice warn">{t.settings.waitsForStart({ names: waiting.map(settingTitle).join(', ') })}</p>
      )}
      <div className="panel settings-lines">{settings.slice(0, SHOWN_AT_ONCE).map(line)}</div>
      {children}
      {settings.length > SHOWN_AT_ONCE && (
        <details className="panel fold">
          <summary>
            <h2>{t.settings.moreForExperts}</h2>
            <span className="small muted">{t.common.settings({ n: settings.length - SHOWN_AT_ONCE })}</span>
          </summary>
          <div className="settings-lines">{settings.slice(SHOWN_AT_ONCE).map(line)}</div>
        </details>
      )}
      <Failure error={draft.save.error} />
      {draft.isSaved && (
        <p className="notice" role="status">
          {waiting.length === 0 ? t.settings.savedGoesOn : t.settings.saved}
        </p>
      )}
      {draft.changed.length > 0 && (
        <SaveBar save={save} canSave={draft.isRight} isSaving={draft.save.isRunning} onDiscard={draft.discard}>
          <strong>{t.common.changes({ n: draft.changed.length })}</strong>
          {wordsOn(draft.errors, draft.changed)}
        </SaveBar>
      )}
    </form>
  )
}

interface Mistake {
  readonly name: string | null
  readonly phrase: NonNullable<Problem['phrase']>
}

function mistakeIn(errors: readonly Mistake[], setting: string): string | null {
  const mistake = errors.find(({ name }) => name === setting)
  return mistake === undefined ? null : phraseWords(mistake.phrase)
}

/** Of the bar: what is to be corrected, else when it takes effect, once for all. */
function wordsOn(errors: readonly Mistake[], changed: readonly Setting[]): string {
  const together = errors.find(({ name }) => name === null)
  if (together !== undefined) return ` · ${phraseWords(together.phrase)}`
  if (errors.length > 0) return t.settings.toCorrect({ n: errors.length })
  const later = changed.filter(({ needsRestart }) => needsRestart)
  if (later.length === 0) return t.settings.atOnce
  if (later.length === changed.length) return t.settings.nextStart
  return t.settings.someLater({ names: later.map(settingTitle).join(', ') })
}
