/**
 * Authentication and authorization of the server. A change restarts it with the same data; an
 * invalid configuration is rejected.
 */

import { useEffect, useState } from 'react'
import { entryOf } from '../../../engine/core/object'
import type { Decider } from '../../../hosts/shared/access'
import { Empty } from '../../components/Empty'
import { Segments } from '../../components/Segments'
import { useConnection } from '../../state/connection'
import { useSettings } from '../../state/settings'
import { notify } from '../../state/view'
import { TextField } from '../editor/TextField'
import { Text } from './AttributesForm'
import {
  type Draft,
  draftOf,
  FILES,
  type FileName,
  filesNamed,
  issuersIn,
  SAMPLES,
  settingsOf,
} from './access-draft'

const MODES = ['Node,RBAC', 'RBAC', 'AlwaysAllow', 'AlwaysDeny', 'ABAC,RBAC', 'Node,RBAC,Webhook']

const BY = [
  { value: 'modes', title: 'Modes' },
  { value: 'file', title: 'Configuration file' },
] as const

const TITLES: Record<FileName, string> = {
  configuration: 'Authorization configuration',
  policy: 'Policy file: one JSON object per line',
  webhook: 'Webhook kubeconfig',
  tokens: 'Token file: token,user,uid,"group1,group2"',
  authentication: 'ID tokens: authentication configuration',
}

const IN_YAML: readonly FileName[] = ['configuration', 'webhook', 'authentication']

/** Pixels. */
const LINES = { least: 72, most: 380 }

export default function Configuration() {
  const settings = useSettings((state) => state.settings)
  const load = useSettings((state) => state.load)
  const connection = useConnection((state) => state.connection)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again for another connection
  useEffect(() => {
    if (settings === undefined) void load()
  }, [settings, load, connection])
  if (settings === undefined) return <Empty>Reading …</Empty>
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
    if (response.done) notify('Restarted with new settings')
    else setFailure(response.reason)
  }
  return (
    <form
      className="scroll configuration"
      aria-label="Configuration of access"
      onSubmit={(event) => {
        event.preventDefault()
        void restart()
      }}
    >
      <div className="configuration-head">
        {failure && (
          <p className="note bad wrap" role="alert">
            Invalid configuration; the previous one is still active: {failure}
          </p>
        )}
        <div className="button-row">
          <button type="submit" className="button primary" disabled={!changed || busy}>
            {busy ? 'Restarting …' : 'Restart with these settings'}
          </button>
          {changed && (
            <button type="button" className="button" onClick={() => setDraft(running)}>
              Discard changes
            </button>
          )}
          <span className="soft small">
            Objects stay as they are. Open watches end, as with any restart.
          </span>
        </div>
      </div>
      <section className="access-main">
        <h2>Authorization</h2>
        <Row />
        <Segments
          label="Configured by"
          value={draft.by}
          choices={BY}
          onChoose={(by) => change({ by })}
        />
        {draft.by === 'modes' && (
          <div className="field-group">
            <Text
              title="Modes"
              value={draft.modes}
              list={MODES}
              onChange={(modes) => change({ modes })}
            />
            <span className="soft small">
              --authorization-mode: evaluated in order; first allow/deny wins.
            </span>
          </div>
        )}
        {filesNamed(draft).map((name) => (
          <File key={name} name={name} draft={draft} onChange={setDraft} />
        ))}
      </section>
      <section className="access-main">
        <h2>Authentication</h2>
        <p className="soft small">
          In addition to the built-in users. Add a user with one of these tokens to act as them.
        </p>
        <File name="tokens" draft={draft} onChange={setDraft} />
        <File name="authentication" draft={draft} onChange={setDraft} />
        {issuersIn(draft).map((issuer) => (
          <KeySet key={issuer} issuer={issuer} draft={draft} onChange={setDraft} />
        ))}
        <label className="field-group">
          <span className="field-title">Anonymous requests</span>
          <select
            className="field"
            value={draft.anonymous}
            onChange={(event) => change({ anonymous: event.target.value as Draft['anonymous'] })}
          >
            <option value="usual">default: system:anonymous</option>
            <option value="yes">--anonymous-auth=true</option>
            <option value="no">--anonymous-auth=false: 401</option>
          </select>
        </label>
      </section>
    </form>
  )
}

function File({
  name,
  draft,
  onChange,
}: {
  name: FileName
  draft: Draft
  onChange(draft: Draft): void
}) {
  const text = draft.files[name]
  const write = (written: string) =>
    onChange({ ...draft, files: { ...draft.files, [name]: written } })
  return (
    <div className="field-group">
      <span className="field-title">
        {TITLES[name]} <span className="mono">{FILES[name]}</span>
      </span>
      {IN_YAML.includes(name) ? (
        <TextField label={TITLES[name]} text={text} onChange={write} fit={LINES} />
      ) : (
        <textarea
          className="field"
          aria-label={TITLES[name]}
          rows={Math.min(18, Math.max(text === '' ? 3 : 6, text.split('\n').length + 1))}
          value={text}
          spellCheck={false}
          autoCapitalize="off"
          onChange={(event) => write(event.target.value)}
        />
      )}
      {text === '' && (
        <span className="soft small">
          Empty: there is none.{' '}
          <button type="button" className="link" onClick={() => write(SAMPLES[name])}>
            Insert example
          </button>
        </span>
      )}
    </div>
  )
}

/** The public keys of an issuer, for one that the browser cannot reach. */
function KeySet({
  issuer,
  draft,
  onChange,
}: {
  issuer: string
  draft: Draft
  onChange(draft: Draft): void
}) {
  return (
    <label className="field-group">
      <span className="field-title">
        Keys of <span className="mono">{issuer}</span> (JSON Web Key Set); empty: discovered from
        the issuer
      </span>
      <textarea
        className="field"
        aria-label={`Keys of ${issuer}`}
        rows={4}
        placeholder='{"keys": []}'
        value={entryOf(draft.keySets, issuer) ?? ''}
        spellCheck={false}
        autoCapitalize="off"
        onChange={(event) =>
          onChange({ ...draft, keySets: { ...draft.keySets, [issuer]: event.target.value } })
        }
      />
    </label>
  )
}

/** The authorizers that run now, in their order. */
function Row() {
  const connection = useConnection((state) => state.connection)
  const [row, setRow] = useState<Decider[]>([])
  useEffect(() => {
    let over = false
    connection?.channel.request('accessAuthorizers', undefined).then(
      (deciders) => over || setRow(deciders),
      () => over || setRow([]),
    )
    return () => {
      over = true
    }
  }, [connection])
  return (
    <ol className="authorizers" aria-label="Authorizers that run now">
      {row.map(({ type, name }) => (
        <li key={`${type} ${name}`}>
          <strong className="cut">{type}</strong>
          {name.toLowerCase() !== type.toLowerCase() && <span className="cut soft">{name}</span>}
        </li>
      ))}
    </ol>
  )
}
