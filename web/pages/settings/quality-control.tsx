import { t } from '../../language/current.ts'
import { Field } from '../../ui/field.tsx'
import { type ControlProps, wishDraft, wishParts } from './setting-draft.ts'
import { settingTitle } from './setting-words.ts'

const USUAL_WISH = 'delay<15min'

/** Either the cost is set and the quality follows, or the quality is, and as few requests as it takes are spent. */
export function QualityControl({ setting, draft, mistake, onChange }: Omit<ControlProps, 'names'>) {
  const isWish = draft !== ''
  const parts = wishParts(draft)
  return (
    <fieldset className="choice-cards" disabled={setting.isFixed}>
      <legend>{settingTitle(setting)}</legend>
      <label>
        <input type="radio" name="quality" checked={!isWish} onChange={() => onChange('')} />
        <strong>{t.settings.theCost}</strong>
        <span className="small muted">{t.settings.costWords}</span>
      </label>
      <label>
        <input type="radio" name="quality" checked={isWish} onChange={() => onChange(USUAL_WISH)} />
        <strong>{t.settings.theLateness}</strong>
        <span className="small muted">{t.settings.latenessWords}</span>
      </label>
      {isWish && (
        <div className="row wish">
          <Field label={t.settings.lateBy} help={t.settings.lateHelp}>
            {(ids) => (
              <input
                {...ids}
                value={parts.delay}
                onChange={(e) => onChange(wishDraft({ ...parts, delay: e.target.value }))}
              />
            )}
          </Field>
          <Field label={t.settings.completeTo} help={t.settings.completeHelp}>
            {(ids) => (
              <input
                {...ids}
                inputMode="decimal"
                value={parts.share}
                onChange={(e) => onChange(wishDraft({ ...parts, share: e.target.value }))}
              />
            )}
          </Field>
        </div>
      )}
      {mistake !== null && <p className="mistake">{mistake}</p>}
    </fieldset>
  )
}
