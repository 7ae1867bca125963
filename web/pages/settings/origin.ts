import { t } from '../../language/current.ts'

interface Origin {
  readonly client: string | null
  readonly address: string | null
}

/** `Firefox on Linux, 192.0.2.1`. */
export function cameFrom({ client, address }: Origin): string {
  return [client ?? t.settings.namelessProgram, address].filter((part) => part !== null).join(', ')
}
