import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { takeMemberPlace } from './member-place.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-member-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('who a process of a cluster is', () => {
  it('is the same after a restart, and another one on another machine', () => {
    const before = takeMemberPlace(folder, ['crawler'])
    before.release()
    const after = takeMemberPlace(folder, ['crawler'])
    expect(after.id).toBe(before.id)
    expect(takeMemberPlace(join(folder, 'other'), ['crawler']).id).not.toBe(after.id)
    after.release()
  })

  it('is of no two processes at once, whatever their roles', () => {
    const members = [['crawler'], ['crawler'], ['api'], ['crawler', 'api']] as const
    const taken = members.map((roles) => takeMemberPlace(folder, roles))
    expect(new Set(taken.map(({ id }) => id)).size).toBe(members.length)
    taken[0]?.release()
    const again = takeMemberPlace(folder, ['crawler'])
    expect(again.id).toBe(taken[0]?.id)
    for (const { release } of [...taken.slice(1), again]) release()
  })

  it('is another one each time where nothing can be written', () => {
    const path = join(folder, 'file')
    writeFileSync(path, '')
    chmodSync(path, 0o400)
    const [one, other] = [takeMemberPlace(path, ['api']), takeMemberPlace(path, ['api'])]
    expect(one.id).not.toBe(other.id)
    expect(one.id).not.toBe('')
  })
})
