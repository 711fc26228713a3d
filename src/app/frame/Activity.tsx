import { type ComponentType, type KeyboardEvent, lazy, Suspense } from 'react'
import { Icon, type IconName } from '../components/Icon'
import { PanelButtons } from '../components/PanelButtons'
import { useChosenInSight } from '../components/tabs'
import { useResults } from '../features/manifests/results'
import { Results } from '../features/manifests/views/Results'
import { useScripts } from '../features/scripts/runner'
import { useWatches } from '../features/watches/state'
import { useRequests } from '../state/requests'
import { type ActivityTab, useView } from '../state/view'
import * as texts from './texts'

const Strip = lazy(() => import('../features/causes/Strip'))
const Requests = lazy(() => import('../features/requests/Requests'))
const Console = lazy(() => import('../features/console/Console'))
const Audit = lazy(() => import('../features/audit/Audit'))
const Output = lazy(() => import('../features/scripts/Output'))
const Watches = lazy(() => import('../features/watches/Watches'))

const TABS: { tab: ActivityTab; icon: IconName; Body: ComponentType }[] = [
  { tab: 'results', icon: 'check', Body: Results },
  { tab: 'requests', icon: 'requests', Body: Requests },
  { tab: 'watches', icon: 'pulse', Body: Watches },
  { tab: 'audit', icon: 'eye', Body: Audit },
  { tab: 'console', icon: 'console', Body: Console },
  { tab: 'output', icon: 'code', Body: Output },
]

/** @param only these tabs, in the usual order */
export function Activity({ only }: { only?: readonly ActivityTab[] }) {
  const activity = useView((state) => state.activity)
  const set = useView((state) => state.set)
  const counts = useCounts()
  const tabs = TABS.filter(({ tab }) => only?.includes(tab) ?? true)
  const { Body, tab: shown } =
    tabs.find(({ tab }) => tab === activity) ?? (tabs[0] as (typeof TABS)[number])
  const list = useChosenInSight(shown)
  return (
    <section className="panel" aria-label={texts.paneTitles.activity} data-pane="activity">
      <div className="bar activity-bar">
        <div
          className="tabs"
          ref={list}
          role="tablist"
          aria-label={texts.paneTitles.activity}
          onKeyDown={step}
        >
          {tabs.map(({ tab, icon }) => (
            <button
              key={tab}
              type="button"
              role="tab"
              id={`activity-${tab}`}
              className="tab"
              aria-selected={shown === tab}
              aria-controls="activity-body"
              tabIndex={shown === tab ? 0 : -1}
              data-pane-focus={shown === tab ? '' : undefined}
              onClick={() => set({ activity: tab })}
            >
              <Icon name={icon} size={14} />
              {texts.activityTabs[tab]}
              {counts[tab] !== '' && <span className="count">{counts[tab]}</span>}
            </button>
          ))}
        </div>
        <span className="grow" />
        <PanelButtons panel="activity" title={texts.activity} />
      </div>
      <div
        className="activity-body"
        id="activity-body"
        role="tabpanel"
        aria-labelledby={`activity-${shown}`}
      >
        {counts.requests !== '' && (
          <Suspense>
            <Strip />
          </Suspense>
        )}
        <Suspense>
          <Body />
        </Suspense>
      </div>
    </section>
  )
}

function useCounts(): Record<ActivityTab, string> {
  const shown = (count: number) => (count === 0 ? '' : String(count))
  return {
    results: shown(useResults((state) => state.results.length)),
    requests: shown(
      useRequests((state) => state.log.filter(({ origin }) => origin !== 'page').length),
    ),
    watches: shown(useWatches((state) => state.watches.length)),
    audit: '',
    console: '',
    output: useScripts((state) => (state.running ? '…' : '')),
  }
}

function step(event: KeyboardEvent): void {
  const { activity, set } = useView.getState()
  const at = TABS.findIndex(({ tab }) => tab === activity)
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1 }[event.key]
  const next = to === undefined ? undefined : TABS[(to + TABS.length) % TABS.length]
  if (next === undefined) return
  event.preventDefault()
  set({ activity: next.tab })
  document.getElementById(`activity-${next.tab}`)?.focus()
}
