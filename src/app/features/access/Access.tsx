import { type ComponentType, type KeyboardEvent, lazy, Suspense } from 'react'
import { Icon, type IconName } from '../../components/Icon'
import { useChosenInSight } from '../../components/tabs'
import { type AccessView, useAccess } from './state'
import './access.css'
import './chains.css'
import './rights.css'
import { Rights } from './Rights'
import { SHARED, VIEW_TITLES } from './texts'

const WhoCan = lazy(() => import('./WhoCan'))
const Try = lazy(() => import('./Try'))
const Roles = lazy(() => import('./Roles'))
const Identities = lazy(() => import('./Identities'))
const Configuration = lazy(() => import('./Configuration'))

const VIEWS: { view: AccessView; title: string; icon: IconName; Body: ComponentType }[] = [
  { view: 'rights', title: VIEW_TITLES.rights, icon: 'grid', Body: Rights },
  { view: 'who-can', title: VIEW_TITLES.whoCan, icon: 'people', Body: WhoCan },
  { view: 'try', title: VIEW_TITLES.try, icon: 'scales', Body: Try },
  { view: 'roles', title: VIEW_TITLES.roles, icon: 'cut', Body: Roles },
  { view: 'identities', title: VIEW_TITLES.identities, icon: 'user', Body: Identities },
  { view: 'configuration', title: VIEW_TITLES.configuration, icon: 'layers', Body: Configuration },
]

export default function Access() {
  const view = useAccess((state) => state.view)
  const set = useAccess((state) => state.set)
  const list = useChosenInSight(view)
  const { Body } = VIEWS.find((one) => one.view === view) ?? (VIEWS[0] as (typeof VIEWS)[number])
  return (
    <section className="panel access" aria-label={VIEW_TITLES.access}>
      <div className="bar">
        <div
          className="tabs"
          ref={list}
          role="tablist"
          aria-label={VIEW_TITLES.access}
          onKeyDown={step}
        >
          {VIEWS.map(({ view: one, title, icon }) => (
            <button
              key={one}
              type="button"
              role="tab"
              id={`access-${one}`}
              className="tab"
              aria-selected={view === one}
              aria-controls="access-body"
              tabIndex={view === one ? 0 : -1}
              onClick={() => set({ view: one })}
            >
              <Icon name={icon} size={14} />
              {title}
            </button>
          ))}
        </div>
      </div>
      <div
        className="access-body"
        id="access-body"
        role="tabpanel"
        aria-labelledby={`access-${view}`}
      >
        <Suspense fallback={<p className="arriving">{SHARED.loading}</p>}>
          <Body />
        </Suspense>
      </div>
    </section>
  )
}

function step(event: KeyboardEvent): void {
  const { view, set } = useAccess.getState()
  const at = VIEWS.findIndex((one) => one.view === view)
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: VIEWS.length - 1 }[event.key]
  const next = to === undefined ? undefined : VIEWS[(to + VIEWS.length) % VIEWS.length]
  if (next === undefined) return
  event.preventDefault()
  set({ view: next.view })
  document.getElementById(`access-${next.view}`)?.focus()
}
