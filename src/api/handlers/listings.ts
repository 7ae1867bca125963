import type { listingOperations } from '../operations/listings.ts'
import type { Handlers } from '../routes.ts'
import type { HandlerDeps } from './deps.ts'

export function listingHandlers({
  services: { listings },
}: HandlerDeps): Pick<Handlers, keyof typeof listingOperations> {
  return {
    suggestListings: ({ body }) => listings.suggest(body.url),
    previewListing: ({ body }) => listings.preview(body.url, body.listing),
  }
}
