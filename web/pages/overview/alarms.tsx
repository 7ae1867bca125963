import type { Overview } from '../../../src/api/operations/wire.ts'
import { exactTime } from '../../format/words.ts'

/** What must be seen until it is over. */
export function Alarms({ alarms }: { readonly alarms: Overview['alarms'] }) {
  return alarms.map(({ code, severity, summary, hint, detail, since }) => (
    <div key={code} className={`notice ${severity === 'error' ? 'bad' : 'warn'}`} role="alert">
      <strong>{summary}</strong> (since {exactTime(since)}). {hint}
      {detail !== null && <div className="hint">{detail}</div>}
    </div>
  ))
}
