import { isDeepStrictEqual } from 'node:util'
import { HeadwaterError } from '../../runtime/errors.ts'
import { type MoveOptions, type MoveResult, moveStore } from '../../store/transfer/move.ts'
import type { Environment } from '../environment.ts'
import { mergeSettings } from '../settings/config.ts'
import { locateData } from './data.ts'
import { takeKeyAlong } from './move-key.ts'
import { folderOf, keyFileIn, type MoveSide, openForMove } from './move-side.ts'

export interface MoveRequest extends Omit<MoveOptions, 'afterBegin'> {
  /** Addresses of stores. */
  readonly from: string
  readonly to: string
  /** Where the key lies of a store that is no folder; absent: in the folder that is moved, or the usual one. */
  readonly dataDir?: string | undefined
  readonly usualDataDir: string
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly environment: Environment
}

export interface MoveReport extends MoveResult {
  readonly from: string
  readonly to: string
  readonly hasSettings: boolean
  readonly isKeyCopied: boolean
}

/** Moves all that a node keeps, from one store to another; the first stays as it was. */
export async function moveData(request: MoveRequest): Promise<MoveReport> {
  const { environment, variables } = request
  const folders = { from: folderOf(request.from), to: folderOf(request.to) }
  if (request.from === request.to || (folders.from !== null && folders.from === folders.to))
    throw new HeadwaterError('USAGE', 'both ends of the move are the same store')
  const { dataDir, usualDataDir } = request
  const dirs = {
    from: folders.from ?? dataDir ?? usualDataDir,
    to: folders.to ?? dataDir ?? folders.from ?? usualDataDir,
  }
  const document = await locateData(request.from, dirs.from).settings.read()
  // A key that settings name is the same for both.
  const { keyFile } = mergeSettings(document, {}, variables)
  const keyFiles = { from: keyFile ?? keyFileIn(dirs.from), to: keyFile ?? keyFileIn(dirs.to) }
  const from = await openForMove(request.from, { isTarget: false, keyFile: keyFiles.from, environment })
  try {
    // A database makes a key where there is none.
    const isKeyCopied = folders.to === null && takeKeyAlong(keyFiles.from, keyFiles.to)
    const to = await openForMove(request.to, { isTarget: true, keyFile: keyFiles.to, environment })
    try {
      const takeKey = () => takeKeyAlong(keyFiles.from, keyFiles.to) || isKeyCopied
      return await moveBetween(from, to, document, takeKey, request)
    } finally {
      await to.release()
    }
  } finally {
    await from.release()
  }
}

async function moveBetween(
  from: MoveSide,
  to: MoveSide,
  document: Readonly<Record<string, unknown>>,
  takeKey: () => boolean,
  { signal, onProgress }: MoveRequest,
): Promise<MoveReport> {
  const hasSettings = Object.keys(document).length > 0
  await refuseSettings(to, document)
  let isKeyCopied = false
  const result = await moveStore(from.transfer, to.transfer, {
    signal,
    ...(onProgress === undefined ? {} : { onProgress }),
    afterBegin: async () => {
      isKeyCopied = takeKey()
      if (hasSettings) await to.settings.write(document)
    },
  })
  return { ...result, from: from.transfer.name, to: to.transfer.name, hasSettings, isKeyCopied }
}

/** An earlier run of the same move may have written them. */
async function refuseSettings({ settings, transfer }: MoveSide, document: object): Promise<void> {
  const present = await settings.read()
  if (Object.keys(present).length > 0 && !isDeepStrictEqual(present, document))
    throw new HeadwaterError('MOVE_TARGET_USED', `${transfer.name} has settings of its own`)
}
