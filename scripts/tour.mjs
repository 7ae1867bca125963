// An animated picture of some pages, for the README; made of pictures that `npm run screenshots` has just taken:
//   node scripts/tour.mjs
// It plays once and then stands still: nobody who dislikes motion has to look away for long. Chromium compresses the pictures;
// what makes one file of them is written here (developers.google.com/speed/webp/docs/riff_container).
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { register } from 'tsx/esm/api'

register()
const { launch } = await import('../test/browser/chromium.ts')

const folder = fileURLToPath(new URL('../docs/screenshots/', import.meta.url))
const PAGES = ['overview-light', 'source-light', 'query-light', 'read-light']
const MS_EACH = 2_000
const WIDTH = 960
const QUALITY = 0.8
const MOST_BYTES = 1_000_000

export async function makeTour() {
  const browser = await launch()
  try {
    const page = await browser.newPage()
    const stills = []
    for (const name of PAGES) stills.push(await page.evaluate(compressed(readFileSync(`${folder}${name}.png`))))
    const file = animation(stills.map(({ url, width, height }) => ({ width, height, ...imageOf(url) })))
    if (file.length > MOST_BYTES) throw new Error(`the animated picture is too large: ${file.length} bytes`)
    writeFileSync(`${folder}tour.webp`, file)
    console.log(`tour, ${Math.round(file.length / 1_000)} kB`)
  } finally {
    await browser.close()
  }
}

/** What the browser does to a picture, as a text: the document of a browser is not for this code. */
function compressed(png) {
  return `(async () => {
    const image = new Image()
    image.src = 'data:image/png;base64,${png.toString('base64')}'
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = ${WIDTH}
    canvas.height = Math.round((${WIDTH} * image.height) / image.width)
    const context = canvas.getContext('2d', { alpha: false })
    context.imageSmoothingQuality = 'high'
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
    return { url: canvas.toDataURL('image/webp', ${QUALITY}), width: canvas.width, height: canvas.height }
  })()`
}

/** The chunks of a still picture that hold its image. */
function imageOf(url) {
  const file = Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
  const parts = []
  for (let at = 12; at < file.length; ) {
    const size = file.readUInt32LE(at + 4)
    const end = at + 8 + size + (size % 2)
    if (['VP8 ', 'VP8L', 'ALPH'].includes(file.toString('latin1', at, at + 4))) parts.push(file.subarray(at, end))
    at = end
  }
  return { image: Buffer.concat(parts) }
}

const ANIMATED = 0x02
const ONCE = 1
/** A frame replaces the one before. */
const WITHOUT_BLENDING = 0x02

function animation(frames) {
  const [{ width, height }] = frames
  const canvas = Buffer.concat([Buffer.from([ANIMATED, 0, 0, 0]), uint24(width - 1), uint24(height - 1)])
  const background = Buffer.from([0xff, 0xff, 0xff, 0xff, ONCE, 0])
  const chunks = [chunk('VP8X', canvas), chunk('ANIM', background), ...frames.map(frameChunk)]
  return chunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]))
}

function frameChunk({ width, height, image }) {
  const place = [uint24(0), uint24(0), uint24(width - 1), uint24(height - 1), uint24(MS_EACH)]
  return chunk('ANMF', Buffer.concat([...place, Buffer.from([WITHOUT_BLENDING]), image]))
}

function chunk(name, content) {
  const head = Buffer.alloc(8)
  head.write(name, 'latin1')
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
}

function uint24(value) {
  const bytes = Buffer.alloc(3)
  bytes.writeUIntLE(value, 0, 3)
  return bytes
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await makeTour()
