/** Adds an actor with a token: from the token file, of a service account, or a bootstrap token. */
import { useState } from 'react'
import { useActors } from '../../state/actors'
import { notify } from '../../state/view'
import { useBusy } from './busy'
import { recognized } from './identities/requests'
import { TOKEN, tokenRejected } from './identities/texts'
import { actingAs } from './texts'

export function AddToken() {
  const [token, setToken] = useState('')
  const { busy, failure, run } = useBusy()
  const add = () =>
    run(async () => {
      const actor = await recognized({ token: token.trim(), from: 'bearer token' })
      useActors.getState().add(actor)
      useActors.getState().actAs(actor.name)
      setToken('')
      notify(actingAs(actor.name))
    })
  return (
    <form
      className="add-form"
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <p className="soft">{TOKEN.about}</p>
      <label className="field-group">
        <span className="field-title">{TOKEN.label}</span>
        <input
          className="field mono"
          type="password"
          autoComplete="off"
          placeholder={TOKEN.example}
          value={token}
          onChange={(event) => setToken(event.target.value)}
        />
      </label>
      {failure && (
        <p className="note bad" role="alert">
          {tokenRejected(failure)}
        </p>
      )}
      <div className="button-row">
        <button type="submit" className="button primary" disabled={busy || token.trim() === ''}>
          {TOKEN.act}
        </button>
      </div>
    </form>
  )
}
