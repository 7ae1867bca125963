import type { Random } from '../../src/model/index.ts'
import { hashWord, keyedRandom } from './keyed-random.ts'

const WIDTH = 960
const HEIGHT = 540
const RIDGES = 4
const STEPS = 12

/** A landscape that nobody has seen: sky, sun, ridges and perhaps water, drawn anew from its name each time. */
export function pictureOf(seed: number, feedIndex: number, key: string): string {
  const random = keyedRandom(seed, feedIndex, hashWord(key), 0x51c7)
  const hue = Math.floor(random() * 360)
  const ridges = Array.from({ length: RIDGES }, (_, k) => ridge(k, hue, random)).join('')
  const sunX = Math.round(WIDTH * (0.15 + 0.7 * random()))
  const sunY = Math.round(HEIGHT * (0.15 + 0.3 * random()))
  const size = Math.round(30 + 50 * random())
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}"><defs><linearGradient id="s" x2="0" y2="1"><stop stop-color="hsl(${hue} 45% 62%)"/><stop offset="1" stop-color="hsl(${(hue + 40) % 360} 70% 88%)"/></linearGradient></defs><rect width="${WIDTH}" height="${HEIGHT}" fill="url(#s)"/><circle cx="${sunX}" cy="${sunY}" r="${size}" fill="hsl(${(hue + 55) % 360} 90% 92%)"/>${ridges}</svg>`
}

/** The farther the paler. */
function ridge(k: number, hue: number, random: Random): string {
  const base = HEIGHT * (0.45 + 0.14 * k)
  const rise = HEIGHT * (0.22 - 0.04 * k)
  const phase = random() * 7
  const points = Array.from({ length: STEPS + 1 }, (_, step) => {
    const wave = Math.sin(phase + step * (0.5 + 0.2 * k)) + 0.5 * (random() - 0.5)
    return `${Math.round((step * WIDTH) / STEPS)},${Math.round(base - rise * wave * 0.6)}`
  })
  const fill = `hsl(${(hue + 200 + 8 * k) % 360} ${24 + 6 * k}% ${66 - 14 * k}%)`
  return `<polygon fill="${fill}" points="0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}"/>`
}
