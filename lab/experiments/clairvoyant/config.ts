export const CONFIG = { sources: 24, days: 28, windowSize: 20, perDay: [1, 2, 4, 8, 24, 48] } as const
