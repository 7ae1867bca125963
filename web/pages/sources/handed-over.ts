/** What another app or the bookmarklet hands over: an address, or a text with one in it. '': nothing. */
export function addressHandedOver(search: string): string {
  const given = new URLSearchParams(search)
  const texts = [given.get('add'), given.get('text'), given.get('title')]
  for (const text of texts) {
    const [address] = /https?:\/\/\S+/.exec(text ?? '') ?? []
    if (address !== undefined) return address
  }
  return given.get('add') ?? ''
}
