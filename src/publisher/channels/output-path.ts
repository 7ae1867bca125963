import { mkdir, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { HeadwaterError } from '../../runtime/errors.ts'

/**
 * Where a subscription's file really lies: inside the folder that the operator gave for them, so that a query, which
 * anybody may write who may change queries, cannot overwrite other files. Makes missing folders; follows links, and
 * refuses those that lead outside. Throws FILE_OUTSIDE.
 */
export async function resolveOutputPath(path: string, folder: string): Promise<string> {
  checkOutputPath(path, folder)
  const target = resolve(folder, path)
  await mkdir(resolve(folder), { recursive: true })
  const root = await realpath(folder)
  const parent = await madeInside(root, relative(resolve(folder), dirname(target)))
  const followedPath = parent === null ? null : await followLinks(join(parent, basename(target)))
  if (followedPath === null || !isInside(root, followedPath)) throw outside(path, folder)
  return followedPath
}

/** As far as the path alone shows: for an error when a query is saved. Throws FILE_OUTSIDE. */
export function checkOutputPath(path: string, folder: string): void {
  if (!isInside(resolve(folder), resolve(folder, path))) throw outside(path, folder)
}

/**
 * The same without making anything: links that are there are followed, the rest is where it would be made. Throws
 * FILE_OUTSIDE.
 */
export async function whereItLeads(path: string, folder: string): Promise<string> {
  checkOutputPath(path, folder)
  const root = await followLinks(resolve(folder))
  const way = relative(resolve(folder), resolve(folder, path)).split(sep)
  let at = root
  for (const name of way) at = await followLinks(join(at, name))
  if (!isInside(root, at)) throw outside(path, folder)
  return relative(root, at)
}

/** Makes folder after folder, looking before each step where it leads. */
async function madeInside(root: string, below: string): Promise<string | null> {
  let at = root
  for (const name of below.split(sep).filter((part) => part !== '')) {
    await mkdir(join(at, name), { recursive: true })
    at = await realpath(join(at, name))
    if (at !== root && !isInside(root, at)) return null
  }
  return at
}

/** A file that is not there yet is where it will be made. */
async function followLinks(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    return path
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

function outside(path: string, folder: string): HeadwaterError {
  return new HeadwaterError('FILE_OUTSIDE', `${path} is not below ${resolve(folder)}`)
}
