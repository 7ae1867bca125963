import { readyRecord } from '../../letters/letter-record.ts'
import { headersOf, localPartFrom, mailboxOf, sourceUrlFor } from '../../letters/mailbox.ts'
import { normalSender } from '../../letters/senders.ts'
import {
  type InstantMs,
  isForLetters,
  LETTERS_SCHEME,
  type Source,
  type SourceError,
  type SourceId,
  type UserId,
} from '../../model/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { randomSecret } from '../../runtime/random.ts'
import { addOneSource } from '../../store/add-one-source.ts'
import { allSources } from '../../store/all-sources.ts'
import type { Store } from '../../store/store.ts'
import { withSourceDefaults } from '../sources/import-sources.ts'

/** A source whose items come as letters, as its owner sees it. */
export interface LetterSource {
  readonly id: SourceId
  readonly name: string
  /** Secret: who knows it can send to it. null: it was revoked, or the key that seals it is missing. */
  readonly address: string | null
  /** Who may send; empty: whoever sends first. */
  readonly senders: readonly string[]
  readonly categories: readonly string[]
  readonly addedAt: InstantMs
  readonly lastLetterAt: InstantMs | null
  /** Why the last letter was refused, if none was stored since. */
  readonly lastRefusal: SourceError | null
  /** null: the operator, so the node owner. */
  readonly ownerId: UserId | null
}

export interface NewLetterSource {
  readonly name: string
  readonly categories?: readonly string[]
  readonly senders?: readonly string[]
}

export interface LetterSources {
  add(source: NewLetterSource, by: UserId | null): Promise<LetterSource>
  list(): Promise<readonly LetterSource[]>
  /** null: there is none, or it is none for letters. */
  find(id: SourceId): Promise<LetterSource | null>
  /** Replaces those who may send. Throws SOURCE_NOT_FOUND, as the next two do. */
  allow(id: SourceId, senders: readonly string[]): Promise<LetterSource>
  /** Gives it another address; the one before is as unknown as any other from now on. */
  renew(id: SourceId): Promise<LetterSource>
  /** Takes its address away; its items stay. */
  revoke(id: SourceId): Promise<LetterSource>
}

export interface LetterSourcesDeps {
  readonly store: Pick<Store, 'addSources' | 'source' | 'sources' | 'updateSource' | 'recordRefresh' | 'sourceAdders'>
  readonly domain: () => string
  readonly clock: Pick<Clock, 'now'>
}

export function createLetterSources({ store, domain, clock }: LetterSourcesDeps): LetterSources {
  return {
    async add({ name, categories = [], senders = [] }, by) {
      const localPart = newLocalPart()
      const settings = withSourceDefaults({
        url: sourceUrlFor(localPart),
        name,
        categories: [...new Set(categories)].sort(),
        headers: headersOf({ localPart, senders: senders.map(normalSender) }),
      })
      const { source } = await addOneSource(store, settings, clock.now(), by)
      await store.recordRefresh(readyRecord(source))
      return shown(source, by)
    },
    async list() {
      const adders = await store.sourceAdders()
      const sources = (await allSources(store, { text: LETTERS_SCHEME })).filter(isForLetters)
      return sources.map((source) => shown(source, adders.get(source.id) ?? null))
    },
    async find(id) {
      const source = await store.source(id)
      return source !== null && isForLetters(source) ? withOwner(source) : null
    },
    async allow(id, senders) {
      const source = await known(id)
      const { localPart } = mailboxOf(source)
      return change(id, { headers: headersOf({ localPart, senders: senders.map(normalSender) }) })
    },
    async renew(id) {
      const { senders } = mailboxOf(await known(id))
      const localPart = newLocalPart()
      return change(id, { url: sourceUrlFor(localPart), headers: headersOf({ localPart, senders }) })
    },
    async revoke(id) {
      const { senders } = mailboxOf(await known(id))
      return change(id, { url: sourceUrlFor(newLocalPart()), headers: headersOf({ localPart: null, senders }) })
    },
  }

  async function known(id: SourceId): Promise<Source> {
    const source = await store.source(id)
    if (source === null || !isForLetters(source)) throw new HeadwaterError('SOURCE_NOT_FOUND', String(id))
    if (source.isLocked) throw new HeadwaterError('CREDENTIALS_LOCKED')
    return source
  }

  async function change(id: SourceId, patch: Parameters<Store['updateSource']>[1]): Promise<LetterSource> {
    const source = await store.updateSource(id, patch)
    if (source === null) throw new HeadwaterError('SOURCE_NOT_FOUND', String(id))
    return withOwner(source)
  }

  async function withOwner(source: Source): Promise<LetterSource> {
    return shown(source, (await store.sourceAdders()).get(source.id) ?? null)
  }

  function shown(source: Source, ownerId: UserId | null): LetterSource {
    const { localPart, senders } = mailboxOf(source)
    const { id, name, categories, addedAt, state } = source
    return {
      id,
      name: name ?? `Letters ${id}`,
      address: localPart === null ? null : `${localPart}@${domain()}`,
      senders,
      categories,
      addedAt,
      lastLetterAt: state.lastNewItemAt,
      lastRefusal: state.lastError,
      ownerId,
    }
  }
}

function newLocalPart(): string {
  return localPartFrom(randomSecret())
}
