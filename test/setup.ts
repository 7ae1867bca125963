import fc from 'fast-check'

// The same cases every time, so that a failure is a failure of the change at hand; FC_SEED=… looks at others.
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 20_261_116) })
