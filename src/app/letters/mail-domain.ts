import type { Logger } from '../../runtime/logger.ts'
import { textState } from '../../store/node-state.ts'
import type { Store } from '../../store/store.ts'
import type { Config } from '../settings/config.ts'

type DomainConfig = Pick<Config, 'mailDomain' | 'publicUrl'>

const MAIL_DOMAIN = textState('mail-domain')

/** The part of addresses behind the @. */
export function mailDomainOf({ mailDomain, publicUrl }: DomainConfig): string {
  return mailDomain ?? (publicUrl === undefined ? 'localhost' : new URL(publicUrl).hostname)
}

/** For commands beside the node, which do not see what it was started with. */
export async function keepMailDomain(
  domain: string,
  store: Pick<Store, 'saveState'>,
  logger: Pick<Logger, 'warn'>,
): Promise<void> {
  try {
    await store.saveState(MAIL_DOMAIN, domain)
  } catch (error) {
    logger.warn({ err: error }, 'the domain of letters could not be written')
  }
}

/** As it is configured, else as the node last took letters. */
export async function knownMailDomain(config: DomainConfig, store: Pick<Store, 'state'>): Promise<string> {
  return config.mailDomain ?? ((await store.state(MAIL_DOMAIN)) || mailDomainOf(config))
}
