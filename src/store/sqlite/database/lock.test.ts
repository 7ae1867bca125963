import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isLocked, lockDataFolder } from './lock.ts'

describe('the lock of a data folder', () => {
  let dir: string
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'headwater-lock-'))
  })
  afterEach(() => rmSync(dir, { recursive: true, force: true }))

  it('is held by one at a time', () => {
    expect(isLocked(dir)).toBe(false)
    const lock = lockDataFolder(dir)
    expect(isLocked(dir)).toBe(true)
    expect(() => lockDataFolder(dir)).toThrow(expect.objectContaining({ code: 'STORE_LOCKED' }))
    lock.release()
    expect(isLocked(dir)).toBe(false)
    lockDataFolder(dir).release()
  })

  it('is shared by the parts of a node, each of which runs once, and none beside a whole node', () => {
    const crawler = lockDataFolder(dir, 'crawler')
    const matcher = lockDataFolder(dir, 'matcher')
    expect(() => lockDataFolder(dir, 'crawler')).toThrow(expect.objectContaining({ code: 'STORE_LOCKED' }))
    expect(() => lockDataFolder(dir)).toThrow(expect.objectContaining({ code: 'STORE_LOCKED' }))
    expect([undefined, 'crawler', 'matcher', 'api'].map((part) => isLocked(dir, part))).toEqual([
      true,
      true,
      true,
      false,
    ])
    crawler.release()
    expect([undefined, 'crawler', 'matcher'].map((part) => isLocked(dir, part))).toEqual([true, false, true])
    matcher.release()
    const whole = lockDataFolder(dir)
    expect(() => lockDataFolder(dir, 'crawler')).toThrow(expect.objectContaining({ code: 'STORE_LOCKED' }))
    expect(isLocked(dir, 'crawler')).toBe(true)
    whole.release()
    lockDataFolder(dir, 'crawler').release()
    expect(isLocked(dir)).toBe(false)
  })

  it('is taken back when its process is killed', async () => {
    const module = fileURLToPath(new URL('./lock.ts', import.meta.url))
    const script = `
      const { lockDataFolder } = await import(${JSON.stringify(module)})
      lockDataFolder(${JSON.stringify(dir)})
      console.log('locked')
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    expect(isLocked(dir)).toBe(true)
    expect(() => lockDataFolder(dir)).toThrow(expect.objectContaining({ code: 'STORE_LOCKED' }))
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(isLocked(dir)).toBe(false)
    lockDataFolder(dir).release()
  })

  it('says so when the folder cannot be written', () => {
    const inAFile = join(dir, 'file', 'data')
    writeFileSync(join(dir, 'file'), '')
    expect(() => lockDataFolder(inAFile)).toThrow(expect.objectContaining({ code: 'STORE_FAILED' }))
    expect(isLocked(inAFile)).toBe(false)
  })
})
