import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import type { Me } from '../../src/api/operations/wire.ts'
import { call, onLoggedOut } from '../client/call.ts'
import { t } from '../language/current.ts'
import { Failure, Loading } from '../ui/notice.tsx'

interface Session {
  readonly me: Me
  readonly setMe: (me: Me) => void
  readonly can: (right: Me['rights'][number]) => boolean
}

const SessionContext = createContext<Session | null>(null)
const TRY_AGAIN_MS = 3_000

/** Who is logged in; requested once, and again when the node no longer knows. */
export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const { me, setMe, error } = useMe()
  if (me === null) {
    return (
      <main className="gate">{error === null ? <Loading what={t.session.theNode} /> : <Failure error={error} />}</main>
    )
  }
  const can: Session['can'] = (right) => me.rights.includes(right)
  return <SessionContext value={{ me, setMe, can }}>{children}</SessionContext>
}

function useMe() {
  const [me, setMe] = useState<Me | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = () =>
      call('me').then(
        (answer) => {
          setMe(answer)
          setError(null)
        },
        (failure: unknown) => {
          setError(failure)
          timer = setTimeout(ask, TRY_AGAIN_MS)
        },
      )
    ask()
    const forget = onLoggedOut(() => setMe((last) => last && { ...last, user: null, rights: [] }))
    return () => {
      clearTimeout(timer)
      forget()
    }
  }, [])
  return { me, setMe, error }
}

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('no session above this component')
  return session
}
