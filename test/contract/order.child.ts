import { writeEverything } from './order.writer.ts'
import { STORE_ADAPTERS } from './store.fixture.ts'

/** A process of its own that writes into the data of another. */
const [adapterName, address, name] = process.argv.slice(2)
const adapter = STORE_ADAPTERS.find((one) => one.name === adapterName)
if (adapter === undefined || address === undefined || name === undefined) throw new Error('which store, where, as whom')
const opened = await adapter.join(address)
await writeEverything(opened, name)
await opened.store.close()
