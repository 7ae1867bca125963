import { useEffect, useState } from 'react'

/** The only place of the dashboard that reads the time of day. */
export function now(): number {
  return Date.now()
}

/** The time, read again every so often, for what moves with the clock. */
export function useNow(everyMs: number): number {
  const [time, setTime] = useState(now)
  useEffect(() => {
    const timer = setInterval(() => setTime(now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return time
}
