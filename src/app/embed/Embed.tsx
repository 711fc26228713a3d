import './embed.css'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { commandOf } from '../commands/match-shortcut'
import { Mark } from '../components/Icon'
import { Explained } from '../features/explain/Explained'
import { Explorer } from '../features/explorer/Explorer'
import { Editors } from '../features/manifests/views/Editors'
import { ObjectView } from '../features/objects/views/ObjectView'
import { Activity } from '../frame/Activity'
import { Dialogs } from '../frame/dialogs/Dialogs'
import { PLACES } from '../frame/places'
import { useConnection } from '../state/connection'
import { useRelease } from '../state/settings'
import { useView } from '../state/view'
import { openWhole, wholeAddress } from './open-whole'
import { PANELS_SHOWN } from './panels'
import * as texts from './texts'

const LessonPanel = lazy(() => import('../features/lessons/views/LessonPanel'))

/** Other shortcuts lead to hidden panels. */
const SHORTCUTS: readonly string[] = ['run', 'dry-run']

const shown = (part: string): boolean => PANELS_SHOWN.some((panel) => panel.part === part)

export default function Embed() {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const command = commandOf(event)
      if (command === undefined || !SHORTCUTS.includes(command.id) || event.defaultPrevented) return
      event.preventDefault()
      command.run()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  const failure = useConnection((state) => state.failure)
  return (
    <div className="app embed">
      {failure && (
        <p className="note bad" role="alert">
          {texts.notStarted(failure)}
        </p>
      )}
      <main className="embed-panels" aria-label={texts.brand}>
        <Suspense fallback={<p className="arriving">{texts.loading}</p>}>
          {PANELS_SHOWN.length === 0 ? <NoPanel /> : <Parts />}
        </Suspense>
      </main>
      <Foot />
      <Dialogs />
      <Explained />
    </div>
  )
}

/** For the author of the embedding page. */
const NoPanel = () => (
  <p className="note warn" role="status">
    {texts.noPanel}
  </p>
)

function Parts() {
  const place = useView((state) => state.place)
  const places = PANELS_SHOWN.flatMap((panel) =>
    panel.part === 'place' ? (PLACES.find(({ id }) => id === panel.place) ?? []) : [],
  )
  const Place = (places.find(({ id }) => id === place) ?? places[0])?.Body
  const tabs = PANELS_SHOWN.flatMap((panel) => (panel.part === 'activity' ? [panel.tab] : []))
  const upper: [string, boolean, ReactNode][] = [
    ['lesson', shown('lesson'), <LessonPanel key="lesson" />],
    ['explorer', shown('explorer'), <Explorer key="explorer" />],
    ['editor', shown('editor'), <Editors key="editor" />],
    ['object', shown('object'), <ObjectView key="object" />],
    ['place', Place !== undefined, Place && <Place key="place" />],
  ]
  const there = upper.filter(([, isThere]) => isThere)
  return (
    <>
      {there.length > 0 && (
        <div className="embed-row">
          {there.map(([name, , part]) => (
            <div key={name} className={`embed-part ${name}`}>
              {part}
            </div>
          ))}
        </div>
      )}
      {tabs.length > 0 && (
        <div className="embed-part activity">
          <Activity only={tabs} />
        </div>
      )}
    </>
  )
}

function Foot() {
  const release = useRelease()
  return (
    <footer className="statusbar embed-foot">
      <Mark size={14} />
      <span className="cut">{texts.simulated(release)}</span>
      <span className="grow" />
      <a
        href={wholeAddress()}
        target="_blank"
        rel="noopener"
        onClick={(event) => {
          event.preventDefault()
          void openWhole()
        }}
      >
        {texts.open}
      </a>
    </footer>
  )
}
