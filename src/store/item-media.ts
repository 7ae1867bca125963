import type { Item } from '../model/index.ts'

/** What a list shows beside an item: a picture, and whether there is something to hear or see. */
export interface ItemMedia {
  /** As its feed says, else its page, where that was fetched; not made safe. */
  readonly image: string | null
  readonly medium: 'audio' | 'video' | null
}

export const NO_MEDIA: ItemMedia = { image: null, medium: null }

/** The page's picture where the feed names none. */
export function withLeadImage(media: ItemMedia, leadImage: string | null): ItemMedia {
  return { ...media, image: media.image ?? leadImage }
}

export function mediaOf({ image, enclosures }: Pick<Item, 'image' | 'enclosures'>): ItemMedia {
  const kindOf = (type: string | null) => type?.split('/')[0]?.toLowerCase() ?? null
  const picture = image ?? enclosures.find(({ type }) => kindOf(type) === 'image')?.url ?? null
  const playable = enclosures.map(({ type }) => kindOf(type)).find((kind) => kind === 'audio' || kind === 'video')
  return { image: picture, medium: playable ?? null }
}
