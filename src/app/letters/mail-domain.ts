import type { Config } from '../settings/config.ts'

/** The part of addresses behind the @. */
export function mailDomainOf({ mailDomain, publicUrl }: Pick<Config, 'mailDomain' | 'publicUrl'>): string {
  return mailDomain ?? (publicUrl === undefined ? 'localhost' : new URL(publicUrl).hostname)
}
