import { useState } from 'react'
import { useActors } from '../../state/actors'
import { useCluster } from '../../state/cluster'
import { notify } from '../../state/view'
import { AccountField } from './AccountField'
import { useBusy } from './busy'
import { recognized, requestToken } from './identities/requests'
import { ACCOUNT, actingUntil } from './identities/texts'

const LIFETIMES = [
  { value: 600, title: ACCOUNT.tenMinutes },
  { value: 3600, title: ACCOUNT.hour },
  { value: 86_400, title: ACCOUNT.day },
]

export function AddServiceAccount() {
  const kinds = useCluster((state) => state.kinds)
  const accounts = [...(kinds.get('/serviceaccounts')?.objects.values() ?? [])]
    .map((one) => `${one.namespace}/${one.name}`)
    .sort()
  const [chosen, setChosen] = useState<string>()
  const account = chosen ?? accounts.find((one) => one.startsWith('default/')) ?? ''
  const [seconds, setSeconds] = useState(3600)
  const { busy, failure, run } = useBusy()
  const add = () =>
    run(async () => {
      const [namespace = '', name = ''] = account.split('/')
      const { token, expirationTimestamp } = await requestToken({ namespace, name }, seconds, [])
      const actor = await recognized({ token, from: 'service account' })
      useActors.getState().add(actor)
      useActors.getState().actAs(actor.name)
      notify(actingUntil(actor.name, expirationTimestamp))
    })
  return (
    <form
      className="add-form"
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <p className="soft">{ACCOUNT.about}</p>
      <div className="pair">
        <AccountField accounts={accounts} value={account} onChange={setChosen} />
        <label>
          <span className="field-title">{ACCOUNT.lifetime}</span>
          <select
            className="field"
            value={seconds}
            onChange={(event) => setSeconds(Number(event.target.value))}
          >
            {LIFETIMES.map(({ value, title }) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
        </label>
      </div>
      {failure && (
        <p className="note bad" role="alert">
          {failure}
        </p>
      )}
      <div className="button-row">
        <button type="submit" className="button primary" disabled={busy || !account.includes('/')}>
          {ACCOUNT.request}
        </button>
      </div>
    </form>
  )
}
