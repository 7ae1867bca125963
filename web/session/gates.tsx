import { useLocation } from 'wouter'
import { call } from '../client/call.ts'
import { t } from '../language/current.ts'
import { Gate } from './gate.tsx'
import { useSession } from './session.tsx'

export function LogIn() {
  const { setMe } = useSession()
  return (
    <Gate
      title={t.session.logIn}
      intro={t.session.logInIntro}
      button={t.session.logIn}
      name=""
      isNewPassword={false}
      onEnter={async (name, password) => setMe(await call('logIn', { body: { name, password } }))}
    />
  )
}

export function FirstOwner() {
  const { setMe } = useSession()
  const [, navigate] = useLocation()
  return (
    <Gate
      title={t.session.welcome}
      intro={t.session.welcomeIntro}
      button={t.session.makeItMine}
      name="owner"
      isNewPassword={true}
      onEnter={async (name, password) => {
        const me = await call('claimNode', { body: { name, password } })
        navigate('/welcome')
        setMe(me)
      }}
    />
  )
}

export function Invitation({ secret }: { readonly secret: string }) {
  const { setMe } = useSession()
  const [, navigate] = useLocation()
  return (
    <Gate
      title={t.session.invited}
      intro={t.session.invitedIntro}
      button={t.session.comeIn}
      name={null}
      isNewPassword={true}
      onEnter={async (_name, password) => {
        const me = await call('acceptInvitation', { body: { invitation: secret, password } })
        navigate('/')
        setMe(me)
      }}
    />
  )
}
