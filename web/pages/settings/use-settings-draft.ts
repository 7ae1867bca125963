import { useState } from 'react'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { useCall } from '../../client/use-call.ts'
import { useSettledValue } from '../queries/use-settled.ts'
import { draftOf, type Setting, type SettingValue, settingValue } from './setting-draft.ts'

const CHECK_AFTER_MS = 250

/** What was changed in a group of settings and is not saved yet; checked by the node while it is typed. */
export function useSettingsDraft(settings: readonly Setting[], onSaved: () => void) {
  const [drafts, setDrafts] = useState<Readonly<Record<string, string>>>({})
  const [isSaved, setSaved] = useState(false)
  const changed = settings.filter((one) => drafts[one.name] !== undefined && drafts[one.name] !== draftOf(one))
  const patch: Record<string, SettingValue> = Object.fromEntries(
    changed.map((one) => [one.name, settingValue(one, drafts[one.name] ?? '')]),
  )
  const key = JSON.stringify(patch)
  const settled = useSettledValue(key, CHECK_AFTER_MS)
  const check = useCall('checkSettings', { body: JSON.parse(settled) }, { skip: settled === '{}' })
  const errors = settled === '{}' ? [] : (check.data?.errors ?? [])
  const save = useAction(async () => {
    await call('setSettings', { body: patch })
    setDrafts({})
    setSaved(true)
    onSaved()
  })
  return {
    changed,
    errors,
    /** What was typed last has been checked, and nothing is wrong. */
    isRight: changed.length > 0 && settled === key && check.data !== null && errors.length === 0,
    isSaved: isSaved && changed.length === 0,
    save,
    draft: (setting: Setting) => drafts[setting.name] ?? draftOf(setting),
    change(name: string, draft: string) {
      setSaved(false)
      setDrafts((last) => ({ ...last, [name]: draft }))
    },
    discard: () => setDrafts({}),
  }
}
