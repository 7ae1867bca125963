import { Field } from '../../ui/field.tsx'
import { type ControlProps, wishDraft, wishParts } from './setting-draft.ts'

const USUAL_WISH = 'delay<15min'

/** Either the cost is set and the quality follows, or the quality is, and as few requests as it takes are spent. */
export function QualityControl({ setting, draft, mistake, onChange }: Omit<ControlProps, 'names'>) {
  const isWish = draft !== ''
  const parts = wishParts(draft)
  return (
    <fieldset className="choice-cards" disabled={setting.isFixed}>
      <legend>{setting.form.title}</legend>
      <label>
        <input type="radio" name="quality" checked={!isWish} onChange={() => onChange('')} />
        <strong>The cost</strong>
        <span className="small muted">So many requests; as fresh as they allow.</span>
      </label>
      <label>
        <input type="radio" name="quality" checked={isWish} onChange={() => onChange(USUAL_WISH)} />
        <strong>The lateness</strong>
        <span className="small muted">So late or incomplete at most; as few requests as it takes.</span>
      </label>
      {isWish && (
        <div className="row wish">
          <Field label="Late by at most, on average" help="As 15min, 2h or 1d">
            {(ids) => (
              <input
                {...ids}
                value={parts.delay}
                onChange={(e) => onChange(wishDraft({ ...parts, delay: e.target.value }))}
              />
            )}
          </Field>
          <Field label="Complete to at least" help="Per cent, as 99.9">
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
