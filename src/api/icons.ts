import type { FastifyInstance } from 'fastify'
import { DAY_MS, type SourceIcon, type SourceId } from '../model/index.ts'
import { iconPath, iconSource, isSignedIcon } from '../publisher/images/icon-address.ts'
import type { Clock } from '../runtime/clock.ts'
import { HeadwaterError } from '../runtime/errors.ts'
import type { IconStore } from '../store/icons.ts'
import { isNotModified } from './conditional.ts'
import { PICTURE_HEADERS } from './image-routes.ts'

/** Icons of sources, as lists show them. Who asks for one that is not there yet finds it later. */
export interface Icons {
  /** Paths of those that are there. */
  paths(ids: readonly SourceId[]): Promise<ReadonlyMap<SourceId, string>>
  /** The same with their bytes; of the first sources alone, where they are too many for one answer. */
  pictures(ids: readonly SourceId[]): Promise<readonly SourceIcon[]>
  /** Of a path that was given out; null: none. */
  named(name: string): Promise<SourceIcon | null>
}

export interface IconDeps {
  readonly store: Pick<IconStore, 'wantIcons' | 'iconHashes' | 'icons'>
  readonly clock: Pick<Clock, 'now'>
  /** What paths are signed with. */
  readonly key: string
}

const PICTURES_AT_ONCE = 50
const MOST_PICTURE_BYTES = 16 * 1024 ** 2

export function createIcons({ store, clock, key }: IconDeps): Icons {
  const hashes = async (ids: readonly SourceId[]) => {
    const known = await store.iconHashes(ids)
    const unknown = ids.filter((id) => !known.has(id))
    // A list is more than its icons: where nothing can be written it comes without them.
    if (unknown.length > 0) await store.wantIcons(unknown, clock.now()).catch(() => {})
    return known
  }
  return {
    async paths(ids) {
      const known = await hashes(ids)
      return new Map(
        [...known].flatMap(([sourceId, hash]) =>
          hash === null ? [] : [[sourceId, iconPath(key, { sourceId, hash })] as const],
        ),
      )
    },
    async pictures(ids) {
      const known = await hashes(ids)
      const there = ids.filter((id) => known.get(id) != null)
      const pictures: SourceIcon[] = []
      let bytes = 0
      for (let at = 0; at < there.length && bytes < MOST_PICTURE_BYTES; at += PICTURES_AT_ONCE) {
        for (const icon of await store.icons(there.slice(at, at + PICTURES_AT_ONCE))) {
          pictures.push(icon)
          bytes += icon.body.length
        }
      }
      return pictures
    },
    async named(name) {
      const sourceId = iconSource(name)
      const [icon] = sourceId === null ? [] : await store.icons([sourceId])
      return icon !== undefined && isSignedIcon(key, name, icon) ? icon : null
    },
  }
}

/** A path is of one picture for ever. */
const MAX_AGE_S = (28 * DAY_MS) / 1_000

export function addIconRoutes(app: FastifyInstance, icons: Icons): void {
  app.get<{ Params: { name: string } }>('/icons/:name', async (request, reply) => {
    const icon = await icons.named(request.params.name)
    if (icon === null) throw new HeadwaterError('IMAGE_NOT_FOUND')
    const etag = `"${icon.hash}"`
    reply.headers({ ...PICTURE_HEADERS, 'cache-control': `public, max-age=${MAX_AGE_S}, immutable`, etag })
    const validators = { 'if-none-match': request.headers['if-none-match'] }
    if (isNotModified(validators, { etag, lastModified: 0 })) return reply.code(304).send()
    return reply.type(icon.type).send(Buffer.from(icon.body))
  })
}
