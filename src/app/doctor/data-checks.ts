import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ALARMS } from '../../runtime/alarms.ts'
import type { Store } from '../../store/store.ts'
import { judgeDiskSpace } from '../data/disk-verdict.ts'
import type { OpenedData } from '../data/opened-data.ts'
import { type Config, outputDirOf } from '../settings/config.ts'
import { type CheckResult, fine, wrong } from './check-result.ts'

/** Whether there is room, as the running node judges it; tries a write. */
export async function checkDisk({ disk }: Pick<OpenedData, 'disk'>, config: Config): Promise<readonly CheckResult[]> {
  if (disk === null) return []
  const { alarms } = judgeDiskSpace(await disk.look({ isDoubtful: true, withUse: true }), config.maxData, new Set())
  if (alarms.size === 0) return [fine('disk', 'there is room, and it can be written')]
  return [...alarms].map(([code, words]) => {
    const { severity, hint } = ALARMS[code]
    return wrong('disk', severity === 'error' ? 'fault' : 'warning', code, words, hint)
  })
}

const OTHERS = 0o077

/** Who can read the key and the database can read what was sealed. */
export async function checkRights(config: Config): Promise<readonly CheckResult[]> {
  if (process.platform === 'win32') return []
  const paths = [config.keyFile ?? join(config.dataDir, 'headwater.key'), join(config.dataDir, 'headwater.db')]
  const findings: CheckResult[] = []
  for (const path of paths) {
    const mode = (await stat(path).catch(() => null))?.mode ?? 0
    if ((mode & OTHERS) === 0) continue
    const words = `others on this machine can read ${path}`
    findings.push(wrong('rights', 'fault', 'FILE_OPEN_TO_OTHERS', words, `Close it: chmod 600 ${path}`))
  }
  return findings.length > 0 ? findings : [fine('rights', 'key and database are closed to others')]
}

export async function checkOutputFolder(config: Config): Promise<readonly CheckResult[]> {
  const folder = outputDirOf(config)
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => error)
  // It is made when the first file is written.
  if (found instanceof Error && found.code === 'ENOENT') return []
  if (!(found instanceof Error) && found.isDirectory()) return [fine('output folder', folder)]
  const hint = 'Choose a folder with --output-dir.'
  return [wrong('output folder', 'fault', 'OUTPUT_FOLDER_UNUSABLE', `${folder} is no folder that can be used`, hint)]
}

const LOOKED_AT = 1_000

/** The last moment that the node wrote down; null: none yet. */
export async function latestMoment(store: Pick<Store, 'sources'>): Promise<number | null> {
  const sources = await store.sources({ limit: LOOKED_AT, afterId: 0 })
  const moments = sources.flatMap(({ addedAt, state: { lastCheckAt } }) => [addedAt, lastCheckAt ?? 0])
  return moments.length === 0 ? null : Math.max(...moments)
}
