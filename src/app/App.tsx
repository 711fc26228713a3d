/** The workbench: who acts and what to do on top, explorer, editor and object side by side, activity below. */
import { useEffect, useState } from 'react'
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels'
import { commandOf } from './commands'
import { Dialogs } from './dialogs/Dialogs'
import { Activity } from './panels/Activity'
import { Editors } from './panels/Editors'
import { Explorer } from './panels/Explorer'
import { Intro } from './panels/Intro'
import { ObjectView } from './panels/ObjectView'
import { TopBar } from './panels/TopBar'
import { useArrivedLink } from './share/arrival'
import { useActors } from './state/actors'
import { useCluster } from './state/cluster'
import { useConnection } from './state/connection'
import { type Pane, useView } from './state/view'

export function App() {
  useShortcuts()
  useFollowedActor()
  useArrivedLink()
  const narrow = useNarrow()
  return (
    <div className="app">
      <TopBar />
      <Banners />
      <main className="work">{narrow ? <OnePane /> : <Workbench />}</main>
      {narrow && <PaneTabs />}
      <Dialogs />
    </div>
  )
}

function useShortcuts(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const command = commandOf(event)
      if (command === undefined) return
      event.preventDefault()
      command.run()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

/** What one may see depends on who one is: another actor, another tree. */
function useFollowedActor(): void {
  useEffect(() => useActors.subscribe((now, before) => (now.actor === before.actor ? undefined : useCluster.getState().follow())), [])
}

const NARROW = '(max-width: 767px)'

function useNarrow(): boolean {
  const [narrow, setNarrow] = useState(() => matchMedia(NARROW).matches)
  useEffect(() => {
    const query = matchMedia(NARROW)
    const change = () => setNarrow(query.matches)
    query.addEventListener('change', change)
    return () => query.removeEventListener('change', change)
  }, [])
  return narrow
}

function Banners() {
  const { connection, failure } = useConnection()
  return (
    <div className="banners">
      {failure && (
        <div className="banner bad" role="alert">
          The API server could not start: {failure}
        </div>
      )}
      {connection?.mode === 'page' && (
        <div className="banner" role="status">
          The API server runs in this page instead of a service worker ({connection.reason}).
        </div>
      )}
    </div>
  )
}

function Workbench() {
  const columns = useDefaultLayout({ id: 'kubetab.columns', storage: localStorage })
  const rows = useDefaultLayout({ id: 'kubetab.rows', storage: localStorage })
  return (
    <Group id="columns" orientation="horizontal" defaultLayout={columns.defaultLayout} onLayoutChanged={columns.onLayoutChanged}>
      <Panel id="explorer" defaultSize="20%" minSize="180px">
        <Explorer />
      </Panel>
      <Separator className="handle handle-column" aria-label="Width of the explorer" />
      <Panel id="work" minSize="320px">
        <Group id="rows" orientation="vertical" defaultLayout={rows.defaultLayout} onLayoutChanged={rows.onLayoutChanged}>
          <Panel id="editor" minSize="160px">
            <div className="panel">
              <Intro />
              <Editors />
            </div>
          </Panel>
          <Separator className="handle handle-row" aria-label="Height of the activity" />
          <Panel id="activity" defaultSize="34%" minSize="90px">
            <Activity />
          </Panel>
        </Group>
      </Panel>
      <Separator className="handle handle-column" aria-label="Width of the object" />
      <Panel id="object" defaultSize="28%" minSize="200px">
        <ObjectView />
      </Panel>
    </Group>
  )
}

function OnePane() {
  const pane = useView((state) => state.pane)
  if (pane === 'explorer') return <Explorer />
  if (pane === 'object') return <ObjectView />
  if (pane === 'activity') return <Activity />
  return (
    <div className="panel">
      <Intro />
      <Editors />
    </div>
  )
}

const PANES: { pane: Pane; title: string; sign: string }[] = [
  { pane: 'explorer', title: 'Explorer', sign: '☰' },
  { pane: 'editor', title: 'Editor', sign: '✎' },
  { pane: 'object', title: 'Object', sign: '◫' },
  { pane: 'activity', title: 'Activity', sign: '≋' },
]

function PaneTabs() {
  const pane = useView((state) => state.pane)
  const set = useView((state) => state.set)
  return (
    <nav className="panes" aria-label="Panes">
      {PANES.map((entry) => (
        <button
          key={entry.pane}
          type="button"
          aria-current={pane === entry.pane ? 'page' : undefined}
          onClick={() => set({ pane: entry.pane })}
        >
          <span aria-hidden="true" style={{ fontSize: 16, lineHeight: 1 }}>
            {entry.sign}
          </span>
          {entry.title}
        </button>
      ))}
    </nav>
  )
}
