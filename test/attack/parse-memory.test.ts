import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { LARGE_DOCUMENTS } from '../../lab/attack/large-documents.ts'

const MIB = 1024 ** 2
/** As large as a node with 96 MB of heap takes, with the limits that it has then. */
const BYTES = 3.9 * MIB
const LIMITS = { maxFieldChars: 393_216, maxLabelChars: 49_152, maxJsonValues: 196_608 }
/** About ten of it are the program. A document that kills this one kills a node that has anything else to do. */
const HEAP_MB = 44
const PARSER = new URL('../../dist/src/crawler/parse/parse.js', import.meta.url).href

const READ = `
  const { parentPort, workerData } = require('node:worker_threads')
  import(workerData.parser).then(({ parseFeed }) => {
    const { body, type, limits } = workerData
    const { items } = parseFeed(Buffer.from(body), { contentType: type, url: 'http://a.example/', limits })
    parentPort.postMessage(items.length)
  })`

it.each(LARGE_DOCUMENTS.map((make, i) => [i, make] as const))(
  'large document %i is read in little memory',
  async (_, make) => {
    const { type, body } = make(BYTES)
    const reader = new Worker(READ, {
      eval: true,
      workerData: { parser: PARSER, body, type, limits: LIMITS },
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 16 },
    })
    const items = await new Promise((resolve) => {
      reader.once('message', resolve)
      reader.once('error', resolve)
    })
    await reader.terminate()
    expect(items).toEqual(expect.any(Number))
  },
)
