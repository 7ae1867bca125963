import { ALERTS } from '../../publisher/alerts/alert-state.ts'
import { ALERT_WORDS } from '../../publisher/alerts/alert-words.ts'
import type { alertOperations } from '../operations/alerts.ts'
import type { Handlers } from '../routes.ts'
import type { HandlerDeps } from './deps.ts'

export function alertHandlers({ store }: HandlerDeps): Pick<Handlers, keyof typeof alertOperations> {
  return {
    async listAlerts() {
      const alerts = (await store.state(ALERTS)).flatMap(({ id, kind, sourceId, name, since, toldAt, endedAt }) => {
        const { title, hint } = ALERT_WORDS[kind]
        if (toldAt === null) return []
        return [{ id, kind, sourceId, name, title: title(name ?? ''), hint, since, toldAt, endedAt }]
      })
      return { alerts: alerts.toReversed() }
    },
  }
}
