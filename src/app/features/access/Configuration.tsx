/** A change restarts the server with the same data; it rejects an invalid configuration. */

import { useEffect, useState } from 'react'
import { Empty } from '../../components/Empty'
import { Segments } from '../../components/Segments'
import { useConnection } from '../../state/connection'
import { useSettings } from '../../state/settings'
import { notify } from '../../state/view'
import { ActiveAuthorizers } from './ActiveAuthorizers'
import { Text } from './AttributesForm'
import { type Draft, draftOf, filesNamed, issuersIn, settingsOf } from './access-draft'
import { ConfigurationFile, KeySet } from './ConfigurationFile'
import { CONFIGURATION, invalidConfiguration, SHARED } from './texts'

const MODES = ['Node,RBAC', 'RBAC', 'AlwaysAllow', 'AlwaysDeny', 'ABAC,RBAC', 'Node,RBAC,Webhook']

const BY = [
  { value: 'modes', title: CONFIGURATION.modes },
  { value: 'file', title: CONFIGURATION.file },
] as const

export default function Configuration() {
  const settings = useSettings((state) => state.settings)
  const load = useSettings((state) => state.load)
  const connection = useConnection((state) => state.connection)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again for another connection
  useEffect(() => {
    if (settings === undefined) void load()
  }, [settings, load, connection])
  if (settings === undefined) return <Empty>{SHARED.loading}</Empty>
  return <Form key={JSON.stringify(settings.access)} running={draftOf(settings.access)} />
}

function Form({ running }: { running: Draft }) {
  const [draft, setDraft] = useState(running)
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  const changed = JSON.stringify(settingsOf(draft)) !== JSON.stringify(settingsOf(running))
  const restart = async () => {
    setBusy(true)
    setFailure(undefined)
    const response = await useSettings.getState().change({ access: settingsOf(draft) })
    setBusy(false)
    if (response.done) notify(CONFIGURATION.restarted)
    else setFailure(response.reason)
  }
  return (
    <form
      className="scroll configuration"
      aria-label={CONFIGURATION.form}
      onSubmit={(event) => {
        event.preventDefault()
        void restart()
      }}
    >
      <div className="configuration-head">
        {failure && (
          <p className="note bad wrap" role="alert">
            {invalidConfiguration(failure)}
          </p>
        )}
        <div className="button-row">
          <button type="submit" className="button primary" disabled={!changed || busy}>
            {busy ? CONFIGURATION.restarting : CONFIGURATION.restart}
          </button>
          {changed && (
            <button type="button" className="button" onClick={() => setDraft(running)}>
              {CONFIGURATION.discard}
            </button>
          )}
          <span className="soft small">{CONFIGURATION.effect}</span>
        </div>
      </div>
      <section className="access-main">
        <h2>{CONFIGURATION.authorization}</h2>
        <ActiveAuthorizers />
        <Segments
          label={CONFIGURATION.by}
          value={draft.by}
          choices={BY}
          onChoose={(by) => change({ by })}
        />
        {draft.by === 'modes' && (
          <div className="field-group">
            <Text
              title={CONFIGURATION.modes}
              value={draft.modes}
              list={MODES}
              onChange={(modes) => change({ modes })}
            />
            <span className="soft small">{CONFIGURATION.modesAbout}</span>
          </div>
        )}
        {filesNamed(draft).map((name) => (
          <ConfigurationFile key={name} name={name} draft={draft} onChange={setDraft} />
        ))}
      </section>
      <section className="access-main">
        <h2>{CONFIGURATION.authentication}</h2>
        <p className="soft small">{CONFIGURATION.authenticationAbout}</p>
        <ConfigurationFile name="tokens" draft={draft} onChange={setDraft} />
        <ConfigurationFile name="authentication" draft={draft} onChange={setDraft} />
        {issuersIn(draft).map((issuer) => (
          <KeySet key={issuer} issuer={issuer} draft={draft} onChange={setDraft} />
        ))}
        <label className="field-group">
          <span className="field-title">{CONFIGURATION.anonymous}</span>
          <select
            className="field"
            value={draft.anonymous}
            onChange={(event) => change({ anonymous: event.target.value as Draft['anonymous'] })}
          >
            <option value="usual">{CONFIGURATION.anonymousDefault}</option>
            <option value="yes">{CONFIGURATION.anonymousOn}</option>
            <option value="no">{CONFIGURATION.anonymousOff}</option>
          </select>
        </label>
      </section>
    </form>
  )
}
