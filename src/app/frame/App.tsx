import { lazy, Suspense, useEffect } from 'react'
import { Explained } from '../features/explain/Explained'
import { unstash } from '../features/share/window-name-transfer'
import { STORED_HASH, showStored } from '../features/stored/wipe'
import { useActors } from '../state/actors'
import { useCluster } from '../state/cluster'
import { useConnection } from '../state/connection'
import { IN_LESSON, INCIDENT_HERE } from '../state/lesson-workspace'
import { Banners } from './Banners'
import { Dialogs } from './dialogs/Dialogs'
import { History } from './History'
import { Rail, ShownPlace } from './Places'
import { StatusBar } from './StatusBar'
import { useShortcuts } from './shortcut-listener'
import { TopBar } from './TopBar'

const IncidentPanel = lazy(() => import('../features/lessons/views/IncidentPanel'))
const LessonPanel = lazy(() => import('../features/lessons/views/LessonPanel'))

export function App() {
  useShortcuts()
  useActorsView()
  useArrivals()
  useDrops()
  return (
    <div className="app">
      <TopBar />
      <Banners />
      <div className="middle">
        <Rail />
        {IN_LESSON && (
          <Suspense>
            <LessonPanel />
          </Suspense>
        )}
        {INCIDENT_HERE && (
          <Suspense>
            <IncidentPanel />
          </Suspense>
        )}
        <ShownPlace />
      </div>
      <History />
      <StatusBar />
      <Dialogs />
      <Explained />
    </div>
  )
}

/** The permissions of another actor change the tree. */
function useActorsView(): void {
  useEffect(
    () =>
      useActors.subscribe((now, before) =>
        now.actor === before.actor ? undefined : useCluster.getState().follow(),
      ),
    [],
  )
}

/** The address can have a scenario, a lesson or the storage dialog. */
function useArrivals(): void {
  const connected = useConnection((state) => state.connection !== undefined)
  useEffect(() => {
    if (!connected) return
    const arrive = () => {
      const hash = location.hash || unstash()
      if (hash === STORED_HASH) showStored()
      else if (/^#l\d+=/.test(hash))
        void import('../features/lessons/arrival').then(({ openSharedLesson }) =>
          openSharedLesson(hash),
        )
      else if (hash.length > 1)
        void import('../features/share/arrival').then(({ openScenario }) => openScenario(hash))
    }
    arrive()
    addEventListener('hashchange', arrive)
    return () => removeEventListener('hashchange', arrive)
  }, [connected])
}

function useDrops(): void {
  useEffect(() => {
    const over = (event: DragEvent) =>
      event.dataTransfer?.types.includes('Files') && event.preventDefault()
    const drop = (event: DragEvent) => {
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length === 0) return
      event.preventDefault()
      void import('../features/share/actions').then(({ openFile }) => files.forEach(openFile))
    }
    // Before the editor, which would insert the file's name.
    addEventListener('dragover', over, true)
    addEventListener('drop', drop, true)
    return () => {
      removeEventListener('dragover', over, true)
      removeEventListener('drop', drop, true)
    }
  }, [])
}
