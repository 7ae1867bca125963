import { useEvent } from '../client/events.ts'
import { useCall } from '../client/use-call.ts'
import { alarmWords } from '../format/told-words.ts'
import { t } from '../language/current.ts'
import { TimeAgo } from '../ui/time-ago.tsx'

const ASK_EVERY_MS = 60_000

/** What an operator must see until it is over, on every page. */
export function AlarmList() {
  const { data, reload } = useCall('health', {}, { everyMs: ASK_EVERY_MS })
  useEvent('alarms', reload)
  const alarms = data?.alarms ?? []
  if (alarms.length === 0) return null
  return (
    <section className="stack tight alarms" aria-label={t.shell.alarms}>
      {alarms.map((alarm) => (
        <div key={alarm.code} className={alarm.severity === 'error' ? 'notice bad' : 'notice warn'} role="alert">
          <strong>{alarmWords(alarm).message}</strong>{' '}
          <span className="muted">{t.shell.began({ when: <TimeAgo at={alarm.since} /> })}</span>
          <div className="hint">{alarmWords(alarm).hint}</div>
          {alarm.detail !== null && <div className="hint">{alarm.detail}</div>}
        </div>
      ))}
    </section>
  )
}
