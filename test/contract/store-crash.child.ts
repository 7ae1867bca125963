import { NODE_READER } from '../../src/buffer/buffer.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { addOne, newItem, record } from './store.fixture.ts'

/**
 * Records refreshes and reads the buffer as fast as it can, and says so line by line, until it is killed:
 * `stored NAME…` after a refresh was acknowledged to it, `read CURSOR` after it acknowledged entries.
 */
const [path, run] = process.argv.slice(2) as [string, string]
const { store, buffer } = await openSqliteStore({ path, clock: systemClock })
await buffer.register('reader', { from: 'start', ...NODE_READER })
const sources = await Promise.all(['a', 'b', 'c', 'd'].map((name) => addOne(store, `http://${name}/`)))

// Written at once, without a queue of our own: what the parent got was really acknowledged.
const say = (line: string) => process.stdout.write(`${line}\n`)

async function refresh(worker: number): Promise<void> {
  for (let count = 0; ; count++) {
    const names = [0, 1, 2].map((item) => `${run}-${worker}-${count}-${item}`)
    await store.recordRefresh(record(sources[worker]!, { newItems: names.map((name) => newItem(name)) }))
    say(`stored ${worker} ${names.join(' ')}`)
  }
}

async function read(): Promise<void> {
  for (;;) {
    await buffer.waitForEntries('reader')
    const entries = await buffer.read('reader', 7)
    const last = entries.at(-1)
    if (last === undefined) continue
    await buffer.acknowledge('reader', last.cursor)
    say(`read ${last.cursor} ${entries.map(({ item }) => item.title).join(' ')}`)
    await systemClock.sleep(1)
  }
}

await Promise.all([...sources.keys()].map(refresh).concat(read()))
