import { type DurationMs, SECOND_MS } from '../../model/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import { randomSecret } from '../../runtime/random.ts'
import type { CallbackClient } from './callback-client.ts'
import { type HubRequest, withParameters } from './hub-request.ts'

/** After these pauses a callback that did not answer is asked once more; one that answers is asked once. */
const PAUSES_MS: readonly DurationMs[] = [2 * SECOND_MS, 30 * SECOND_MS]

/**
 * Whether who can be called at the address did ask for it (WebSub §5.3): only a success with the challenge as its body says so.
 */
export async function verifyIntent(
  { mode, callback, topic, leaseMs }: HubRequest,
  client: Pick<CallbackClient, 'call'>,
  clock: Pick<Clock, 'sleep'>,
  signal: AbortSignal,
): Promise<boolean> {
  const challenge = randomSecret()
  const url = withParameters(callback, {
    'hub.mode': mode,
    'hub.topic': topic,
    'hub.challenge': challenge,
    ...(mode === 'subscribe' ? { 'hub.lease_seconds': String(leaseMs / SECOND_MS) } : {}),
  })
  for (let attempt = 0; ; attempt++) {
    const answer = await client.call({ method: 'GET', url }, signal)
    if (answer.status !== null && answer.status < 500) {
      return answer.status >= 200 && answer.status < 300 && answer.text === challenge
    }
    const pauseMs = PAUSES_MS[attempt]
    if (pauseMs === undefined || signal.aborted) return false
    await clock.sleep(pauseMs, signal)
  }
}
