import { type DurationMs, type Enclosure, type ImageSize, SECOND_MS } from '../../model/index.ts'

/** How large and how long a file is, as far as an element says. */
export type MediaFacts = Partial<Pick<Enclosure, 'lengthBytes' | 'durationMs' | 'width' | 'height'>>

const NAMES = ['lengthBytes', 'durationMs', 'width', 'height'] as const

const LONGEST_S = 1_000 * 3_600
const MOST_PIXELS = 100_000

/** Seconds, or hours, minutes and seconds between colons (itunes:duration); undefined: neither. */
export function readMediaDuration(text: string | number | null | undefined): DurationMs | undefined {
  if (text === null || text === undefined) return undefined
  const parts = /^\s*(?:(?:(\d{1,4}):)?(\d{1,4}):)?(\d{1,8})(\.\d+)?\s*$/.exec(String(text))
  if (parts === null) return undefined
  const [hours, minutes, seconds] = parts.slice(1, 4).map((part) => Number(part ?? 0)) as [number, number, number]
  const wholeS = hours * 3_600 + minutes * 60 + seconds + Number(parts[4] ?? 0)
  // 0 is what is written where nobody knows.
  return wholeS > 0 && wholeS <= LONGEST_S ? Math.round(wholeS * SECOND_MS) : undefined
}

/** `1200` or `1200px`; undefined: anything else, such as a share of the page. */
export function readPixels(text: string | number | null | undefined): number | undefined {
  if (text === null || text === undefined) return undefined
  const pixels = Number(/^\s*(\d{1,6})(?:\.\d+)?(?:px)?\s*$/i.exec(String(text))?.[1] ?? 0)
  return pixels > 0 && pixels <= MOST_PIXELS ? pixels : undefined
}

/** Without what is not known: most files have none of these, and none of their names is stored. */
export function mediaFacts(facts: { readonly [Name in keyof MediaFacts]: MediaFacts[Name] | undefined }): MediaFacts {
  const known: { -readonly [Name in keyof MediaFacts]: MediaFacts[Name] } = {}
  for (const name of NAMES) {
    const value = facts[name]
    if (value !== undefined && value !== null) known[name] = value
  }
  return known
}

/** What the element of a file says comes before what others say of the same address. */
export function withFacts(file: Enclosure, facts: MediaFacts | undefined): Enclosure {
  if (facts === undefined) return file
  // RSS wants a length, and 0 where it is not known.
  return { ...facts, ...file, lengthBytes: file.lengthBytes || (facts.lengthBytes ?? file.lengthBytes) }
}

export function imageSizeOf({ width, height }: MediaFacts): ImageSize | null {
  return width === undefined && height === undefined ? null : { width: width ?? null, height: height ?? null }
}

const isPlayable = ({ type }: Enclosure) => /^\s*(?:audio|video)\//i.test(type ?? '')

/** itunes:duration is of the item: of its file to hear or to see, where there is one alone. */
export function withDuration(files: readonly Enclosure[], text: string | undefined): readonly Enclosure[] {
  const durationMs = readMediaDuration(text)
  if (durationMs === undefined) return files
  const [only, other] = files.filter(isPlayable)
  if (only === undefined || other !== undefined || only.durationMs !== undefined) return files
  return files.map((file) => (file === only ? { ...file, durationMs } : file))
}
