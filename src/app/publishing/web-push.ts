import type { Channel } from '../../publisher/channels/channel.ts'
import { createWebPushChannel } from '../../publisher/channels/webpush.ts'
import { createCallbackClient } from '../../publisher/hub/callback-client.ts'
import { curveNumber } from '../../publisher/webpush/curve-number.ts'
import { type VapidKeys, vapidKeysFrom } from '../../publisher/webpush/vapid.ts'
import type { Clock } from '../../runtime/clock.ts'
import { randomKey } from '../../runtime/random.ts'
import { textState } from '../../store/node-state.ts'
import type { OpenedData } from '../data/opened-data.ts'
import { sealedKey } from '../data/sealed-key.ts'
import type { Config } from '../settings/config.ts'
import { userAgentOf } from '../settings/user-agent.ts'

const VAPID_KEY = textState('vapid-key')

/** Where it is lost, browsers have to subscribe again. */
export async function vapidKeys(data: Pick<OpenedData, 'store' | 'vault'>): Promise<VapidKeys> {
  return vapidKeysFrom(await sealedKey(VAPID_KEY, data))
}

export function webPushChannelFor(config: Config, vapid: VapidKeys, clock: Clock): Channel {
  return createWebPushChannel({
    clock,
    client: createCallbackClient({
      allowRanges: config.allowRange,
      userAgent: userAgentOf(config),
      timeoutMs: config.webhookTimeout,
    }),
    vapid,
    contact: contactOf(config),
    secrets: () => ({ privateKey: curveNumber(randomKey(32)), salt: randomKey(16) }),
  })
}

/** RFC 8292 §2.1: an address of mail, or one that begins with https. */
function contactOf({ contact, publicUrl }: Pick<Config, 'contact' | 'publicUrl'>): string | null {
  const whom = contact ?? publicUrl
  if (whom === undefined) return null
  if (whom.startsWith('https://')) return whom
  return whom.includes('://') ? null : `mailto:${whom}`
}
