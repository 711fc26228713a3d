import { type ComponentType, useState } from 'react'
import { Icon } from '../../components/Icon'
import { Segments } from '../../components/Segments'
import { type Actor, useActors } from '../../state/actors'
import { AddCertificate } from './AddCertificate'
import { AddServiceAccount } from './AddServiceAccount'
import { AddToken } from './AddToken'
import { ExecPlugin } from './ExecPlugin'
import { type WhoIAm, whoAmI } from './identities/requests'
import { removeUser, USERS } from './identities/texts'
import { openAccess, subjectOf } from './state'
import { actAs, permissionsOf, SHARED } from './texts'

type Way = 'certificate' | 'account' | 'token' | 'exec'

const WAYS: { value: Way; title: string; Body: ComponentType }[] = [
  { value: 'certificate', title: USERS.certificate, Body: AddCertificate },
  { value: 'account', title: SHARED.serviceAccount, Body: AddServiceAccount },
  { value: 'token', title: USERS.token, Body: AddToken },
  { value: 'exec', title: USERS.exec, Body: ExecPlugin },
]

export default function Identities() {
  const [way, setWay] = useState<Way>('certificate')
  const { Body } = WAYS.find(({ value }) => value === way) ?? (WAYS[0] as (typeof WAYS)[number])
  return (
    <div className="access-columns actors-columns">
      <section className="access-form" aria-label={USERS.region}>
        <AllUsers />
        <Me />
      </section>
      <section className="access-main" aria-label={USERS.add}>
        <h2>{USERS.add}</h2>
        <Segments label={USERS.method} value={way} choices={WAYS} onChoose={setWay} />
        <Body />
      </section>
    </div>
  )
}

function AllUsers() {
  const actors = useActors((state) => state.actors)
  const actor = useActors((state) => state.actor)
  return (
    <ul className="actor-list" aria-label={USERS.list}>
      {actors.map((one) => (
        <OneActor key={one.name} one={one} acting={one.name === actor.name} />
      ))}
    </ul>
  )
}

const wayOf = ({ from, token }: Actor): string =>
  from ?? (token === undefined ? USERS.noCredential : USERS.tokenFile)

function OneActor({ one, acting }: { one: Actor; acting: boolean }) {
  const actors = useActors.getState()
  return (
    <li className={acting ? 'actor-row acting' : 'actor-row'}>
      <div className="actor-who">
        <strong className="wrap">{one.name}</strong>
        <span className="soft small wrap">
          {wayOf(one)} · {one.groups.join(', ') || SHARED.noGroups}
        </span>
      </div>
      {acting ? (
        <span className="chip">{USERS.acting}</span>
      ) : (
        <button
          type="button"
          className="button small"
          aria-label={actAs(one.name)}
          onClick={() => actors.actAs(one.name)}
        >
          {USERS.act}
        </button>
      )}
      <button
        type="button"
        className="button quiet icon-only small"
        aria-label={permissionsOf(one.name)}
        title={USERS.permissions}
        onClick={() => openAccess('rights', { subject: subjectOf(one), explained: undefined })}
      >
        <Icon name="grid" size={14} />
      </button>
      {one.from !== undefined && (
        <button
          type="button"
          className="button quiet icon-only small"
          aria-label={removeUser(one.name)}
          title={USERS.removeCredential}
          onClick={() => actors.remove(one.name)}
        >
          <Icon name="trash" size={14} />
        </button>
      )}
    </li>
  )
}

function Me() {
  const actor = useActors((state) => state.actor)
  const [me, setMe] = useState<{ of: Actor; who?: WhoIAm; failure?: string }>()
  const find = () =>
    whoAmI().then(
      (who) => setMe({ of: actor, who }),
      (error: unknown) =>
        setMe({ of: actor, failure: error instanceof Error ? error.message : String(error) }),
    )
  const shown = me?.of === actor ? me : undefined
  return (
    <>
      <div className="button-row">
        <button type="button" className="button small" onClick={() => void find()}>
          <Icon name="user" size={14} /> {USERS.whoAmI}
        </button>
        <span className="soft small">{USERS.whoAmIAbout}</span>
      </div>
      {shown?.failure && <p className="note bad">{shown.failure}</p>}
      {shown?.who && (
        <section aria-label={USERS.identity}>
          <pre>{JSON.stringify(shown.who, null, 2)}</pre>
        </section>
      )}
    </>
  )
}
