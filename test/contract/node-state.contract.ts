import { afterEach, describe, expect, it } from 'vitest'
import { HeadwaterError } from '../../src/runtime/errors.ts'
import { jsonState, type NamedState, readWords } from '../../src/store/node-state.ts'
import { rawState } from '../support/raw-state.ts'
import type { Adapter, OpenOptions } from './store.fixture.ts'

const RANGES = jsonState('allowRange', ['none'], readWords)

/** Named states, as src/store/node-state.ts has them. */
export function describeNodeState(adapter: Adapter): void {
  describe(`named states in the ${adapter.name} store`, () => {
    const ends: (() => Promise<void>)[] = []
    afterEach(async () => {
      for (const end of ends.splice(0)) await end()
    })
    const open = async (options: OpenOptions = {}) => {
      const opened = await adapter.open(options)
      ends.push(() => opened.end())
      return opened
    }

    it('have their initial value until they are written, each its own', async () => {
      const { store, again } = await open()
      expect(await store.state(RANGES)).toEqual(['none'])
      await store.saveState(RANGES, ['10.0.0.0/8', 'ü'])
      await store.saveState(rawState('address'), 'http://here')
      const { store: after } = await again()
      expect(await after.state(RANGES)).toEqual(['10.0.0.0/8', 'ü'])
      expect(await after.state(rawState('allowRange'))).toBe('["10.0.0.0/8","ü"]')
      expect(await after.state(rawState('address'))).toBe('http://here')
    })

    it.each(['{"broken', '', 'null', '{"v":9}', '[1]'])(
      'fall back where %j is stored, and say so once',
      async (text) => {
        const reports: unknown[] = []
        const { store } = await open({ onUnreadableState: (state) => reports.push(state) })
        await store.saveState(rawState('allowRange'), text)
        expect([await store.state(RANGES), await store.state(RANGES)]).toEqual([['none'], ['none']])
        expect(reports).toEqual([{ name: 'allowRange', owner: 'crawler' }])
        await store.saveState(RANGES, ['a'])
        expect(await store.state(RANGES)).toEqual(['a'])
        expect(reports).toHaveLength(1)
      },
    )

    it('are agreed upon: of those who propose a value at once, all get the same', async () => {
      const { store, again } = await open()
      const { store: other } = await again()
      const proposals = ['a', 'b', 'c', 'd'].map((value, index) =>
        (index % 2 === 0 ? store : other).agreeOnState(rawState('device-key'), value),
      )
      const [agreed, ...others] = await Promise.all(proposals)
      expect(others).toEqual([agreed, agreed, agreed])
      expect(await store.state(rawState('device-key'))).toBe(agreed)
      await other.saveState(rawState('device-key'), 'e')
      expect(await store.agreeOnState(rawState('device-key'), 'f')).toBe('e')
    })

    it('are changed one after the other: nobody writes over what another has changed at once', async () => {
      const { store, again } = await open()
      const { store: other } = await again()
      const names = Array.from({ length: 12 }, (_, index) => `n${index}`)
      const add = (name: string, index: number) =>
        (index % 2 === 0 ? store : other).changeState(RANGES, (ranges) => [...ranges, name])
      await Promise.all(names.map(add))
      expect([...(await store.state(RANGES))].sort()).toEqual(['none', ...names].sort())
    })

    it('stay as they are where a change throws, or changes nothing', async () => {
      const { store } = await open()
      expect(await store.changeState(RANGES, (ranges) => ranges)).toEqual(['none'])
      expect(await store.states(RANGES)).toEqual([])
      await store.saveState(RANGES, ['a'])
      const refused = new HeadwaterError('LIST_EXISTS')
      const refuse = () => {
        throw refused
      }
      await expect(store.changeState(RANGES, refuse)).rejects.toBe(refused)
      expect(await store.changeState(RANGES, () => ['b'])).toEqual(['b'])
      expect(await store.state(RANGES)).toEqual(['b'])
    })

    it('are known of every member that has written one', async () => {
      const { store } = await open()
      expect(await store.states(RANGES)).toEqual([])
      await store.saveState(RANGES, ['a'])
      await store.saveState(rawState('schedule'), '{"price":1}')
      await store.saveState(rawState('schedule'), '{"price":2}')
      expect(await store.states(RANGES)).toEqual([{ value: ['a'], isOwn: true }])
      expect(await store.states(rawState('schedule'))).toEqual([{ value: '{"price":2}', isOwn: true }])
    })

    it('that protect somebody fail where they cannot be read, rather than protect nobody', async () => {
      const { store } = await open()
      const guard: NamedState<readonly string[]> = { ...jsonState('private-feeds', [], readWords), isGuard: true }
      expect(await store.state(guard)).toEqual([])
      await store.saveState(rawState('private-feeds'), '["/feeds/al')
      await expect(store.state(guard)).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
    })
  })
}
