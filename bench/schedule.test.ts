import { describe, expect, it } from 'vitest'
import { Scan, WheelContender } from './schedule-contenders.ts'
import { BENCH_CYCLE_MS, ScheduleWorld, START } from './schedule-world.ts'

describe('bench schedule', () => {
  it('measures two forms of one strategy: in equal worlds they decide alike', () => {
    const scan = new Scan(new ScheduleWorld(1_500, 5))
    const wheel = new WheelContender(new ScheduleWorld(1_500, 5))
    for (let cycle = 1; cycle <= 150; cycle++) {
      const now = START + cycle * BENCH_CYCLE_MS
      expect(wheel.cycle(now).decisions).toBe(scan.cycle(now).decisions)
      expect(wheel.tau).toBe(scan.tau)
    }
    expect(wheel.looks).toBeLessThan(scan.looks / 10)
  })
})
