/**
 * null: it is no address. Instead of `URL.canParse`, which in Node 20 answers wrongly, once it is called often enough to be
 * optimised, for everything that has a letter such as "ü" in it.
 */
export function parseUrl(text: string, base?: string | URL): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
