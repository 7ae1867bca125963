import { systemClock } from '../../src/runtime/clock.ts'

/**
 * How long tests wait for what must happen. A guard against hanging, never a promise about speed: a test that passes on an
 * idle machine must pass beside many busy loops, where everything takes ten times as long.
 */
export const PATIENCE_MS = 300_000
const LOOK_EVERY_MS = 50

/** Asks again and again until the answer is yes; false when patience is over. */
export async function eventually(isTrue: () => Promise<boolean> | boolean): Promise<boolean> {
  const endMs = systemClock.monotonicMs() + PATIENCE_MS
  while (systemClock.monotonicMs() < endMs) {
    if (await isTrue()) return true
    await systemClock.sleep(LOOK_EVERY_MS)
  }
  return isTrue()
}
