import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SourceIcon, SourceId } from '../../model/index.ts'

type Icon = Pick<SourceIcon, 'sourceId' | 'hash'>

const ICON_PATH = '/icons'
/** 144 bits: nobody learns by trying which sources a node has. */
const SIGNATURE_BYTES = 18
const NAME = /^(\d{1,15})-([\w-]{24})$/

/** Where an icon is shown. Apps load it without a password: who was told its address may see it, and another picture has another. */
export function iconPath(key: string, icon: Icon): string {
  return `${ICON_PATH}/${icon.sourceId}-${signatureOf(key, icon)}`
}

/** The source that the last part of such a path names; null: none. */
export function iconSource(name: string): SourceId | null {
  const [, id] = NAME.exec(name) ?? []
  return id === undefined ? null : Number(id)
}

/** Whether this node has told somebody this name of the icon. */
export function isSignedIcon(key: string, name: string, icon: Icon): boolean {
  const expected = Buffer.from(`${icon.sourceId}-${signatureOf(key, icon)}`)
  const given = Buffer.from(name)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function signatureOf(key: string, { sourceId, hash }: Icon): string {
  const bytes = createHmac('sha256', key).update(`headwater icon\n${sourceId}\n${hash}`).digest()
  return bytes.subarray(0, SIGNATURE_BYTES).toString('base64url')
}
