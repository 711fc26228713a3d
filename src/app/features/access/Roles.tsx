import { useMemo, useState } from 'react'
import { Empty } from '../../components/Empty'
import { Icon } from '../../components/Icon'
import { Segments } from '../../components/Segments'
import { useActors } from '../../state/actors'
import { useFreshAudit, useFreshTraces } from '../../state/traces'
import { useView } from '../../state/view'
import { TextField } from '../editor/TextField'
import { useEditors } from '../manifests/editors'
import { RoleCheck } from './RoleCheck'
import { manifestOf, roleNameOf } from './role-manifest'
import { fromEvents, fromTraces, type Recorded } from './series'
import { useAccessQuery } from './state'
import { bindTo, LEAST, selectedOf } from './texts'

const SOURCES = [
  { value: 'requests', title: LEAST.requests },
  { value: 'audit', title: LEAST.audit },
] as const

type Source = (typeof SOURCES)[number]['value']

function useSeries(source: Source): Recorded[] {
  const traces = useFreshTraces()
  const { events } = useFreshAudit()
  return useMemo(
    () => (source === 'requests' ? fromTraces(traces.values()) : fromEvents(events)),
    [source, traces, events],
  )
}

export default function Roles() {
  const [source, setSource] = useState<Source>('requests')
  const [chosenUser, setUser] = useState<string>()
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const actor = useActors((state) => state.actor.name)
  const all = useSeries(source)
  const users = useMemo(
    () => [...new Set([actor, ...all.map(({ user }) => user)])].sort(),
    [all, actor],
  )
  const user = chosenUser !== undefined && users.includes(chosenUser) ? chosenUser : actor
  const series = all.filter((one) => one.user === user)
  const chosen = series.filter(({ key }) => !left.has(key))
  const toggle = (key: string) => {
    const next = new Set(left)
    if (!next.delete(key)) next.add(key)
    setLeft(next)
  }
  const toggleAll = () =>
    setLeft(chosen.length === 0 ? new Set() : new Set(series.map(({ key }) => key)))
  return (
    <div className="access-columns">
      <form
        className="access-form"
        aria-label={LEAST.recorded}
        onSubmit={(event) => event.preventDefault()}
      >
        <Segments label={LEAST.source} value={source} choices={SOURCES} onChoose={setSource} />
        <label>
          <span className="field-title">{LEAST.requestsOf}</span>
          <select className="field" value={user} onChange={(event) => setUser(event.target.value)}>
            {users.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        {series.length === 0 ? (
          <p className="soft">
            {source === 'requests' ? LEAST.noRequests : LEAST.noEvents} {LEAST.record}
          </p>
        ) : (
          <>
            <div className="button-row">
              <span className="soft small">{selectedOf(chosen.length, series.length)}</span>
              <button type="button" className="button quiet small" onClick={toggleAll}>
                {chosen.length === 0 ? LEAST.selectAll : LEAST.clear}
              </button>
            </div>
            <Series series={series} left={left} onToggle={toggle} />
          </>
        )}
      </form>
      <section className="access-main" aria-label={LEAST.role}>
        {chosen.length === 0 ? (
          <Empty icon="cut" title={LEAST.title}>
            {LEAST.select}
          </Empty>
        ) : (
          <Least chosen={chosen} user={user} />
        )}
      </section>
    </div>
  )
}

function Series({
  series,
  left,
  onToggle,
}: {
  series: readonly Recorded[]
  left: ReadonlySet<string>
  onToggle(key: string): void
}) {
  return (
    <div className="series">
      {series.map(({ key, text, count, denied }) => (
        <label key={key}>
          <input type="checkbox" checked={!left.has(key)} onChange={() => onToggle(key)} />
          <span className="wrap">{text}</span>
          <span className="soft">
            {denied && <span className="chip bad">403</span>} {count > 1 && `× ${count}`}
          </span>
        </label>
      ))}
    </div>
  )
}

/** Pixels: a role of a few rules fits. */
const LINES = { least: 200, most: 580 }

function Least({ chosen, user }: { chosen: readonly Recorded[]; user: string }) {
  const [names, setNames] = useState(false)
  const [bound, setBound] = useState(true)
  const [draft, setDraft] = useState<string>()
  const requests = chosen.flatMap(({ requests }) => requests ?? [])
  const events = chosen.flatMap(({ event }) => event ?? [])
  const { data, failure } = useAccessQuery('accessLeastRoles', { requests, events, names })
  const least = data && manifestOf(data, roleNameOf(user), bound ? user : undefined)
  const text = draft ?? least ?? ''
  const openInEditor = () => {
    useEditors.getState().open({ title: `${roleNameOf(user)}.yaml`, language: 'yaml', text })
    useView.getState().set({ pane: 'editor' })
  }
  return (
    <>
      <div className="button-row">
        <label className="check">
          <input
            type="checkbox"
            checked={names}
            onChange={(event) => setNames(event.target.checked)}
          />
          <span>{LEAST.limitNames}</span>
        </label>
        <label className="check">
          <input
            type="checkbox"
            checked={bound}
            onChange={(event) => setBound(event.target.checked)}
          />
          <span>{bindTo(user)}</span>
        </label>
      </div>
      {failure && <p className="note bad">{failure}</p>}
      <TextField label={LEAST.yaml} text={text} onChange={setDraft} fit={LINES} />
      <div className="button-row">
        <button type="button" className="button small primary" onClick={openInEditor}>
          <Icon name="edit" size={14} /> {LEAST.open}
        </button>
        {draft !== undefined && (
          <button type="button" className="button small" onClick={() => setDraft(undefined)}>
            {LEAST.reset}
          </button>
        )}
      </div>
      {text !== '' && (
        <RoleCheck text={text} recorded={chosen} requests={requests} events={events} />
      )}
    </>
  )
}
