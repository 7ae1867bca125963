/** What is in an item may be anything, also an address that is a program. */
export function isWeb(url: string | null): url is string {
  return url !== null && /^https?:\/\//i.test(url)
}
