interface Origin {
  readonly client: string | null
  readonly address: string | null
}

/** `Firefox on Linux, 192.0.2.1`. */
export function cameFrom({ client, address }: Origin): string {
  return [client ?? 'a program that does not say its name', address].filter((part) => part !== null).join(', ')
}
