/** What a subscriber at the hub has told it, and nobody else may know; sealed in the store as one text. */
export interface HubKeys {
  /** hub.secret; null: it wants no signatures. */
  readonly secret: string | null
  /** Of the topic, where its feed is private. */
  readonly token: string | null
}

export function packHubKeys({ secret, token }: HubKeys): string {
  return JSON.stringify({ secret, token })
}

export function readHubKeys(text: string): HubKeys {
  const { secret, token } = JSON.parse(text) as HubKeys
  return { secret, token }
}
