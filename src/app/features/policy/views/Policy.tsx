import './policy.css'
import { type ComponentType, type KeyboardEvent, lazy, Suspense } from 'react'
import { useChosenInSight } from '../../../components/tabs'
import { type PolicyTab, usePolicyView } from '../state'
import { SHARED, TABS } from '../texts'

const VIEWS: readonly { tab: PolicyTab; title: string; Body: ComponentType }[] = [
  { tab: 'bench', title: TABS.bench, Body: lazy(() => import('./Bench')) },
  { tab: 'workbench', title: TABS.workbench, Body: lazy(() => import('./PolicyWorkbench')) },
  { tab: 'designer', title: TABS.designer, Body: lazy(() => import('./Designer')) },
]

export default function Policy() {
  const tab = usePolicyView((state) => state.tab)
  const show = usePolicyView((state) => state.show)
  const list = useChosenInSight(tab)
  const { Body, title } =
    VIEWS.find((one) => one.tab === tab) ?? (VIEWS[0] as (typeof VIEWS)[number])
  return (
    <section className="panel policy">
      <div className="bar policy-tabs">
        <div className="tabs" ref={list} role="tablist" aria-label={TABS.policy} onKeyDown={step}>
          {VIEWS.map((one) => (
            <button
              key={one.tab}
              type="button"
              role="tab"
              className="tab"
              aria-selected={one.tab === tab}
              tabIndex={one.tab === tab ? 0 : -1}
              onClick={() => show(one.tab)}
            >
              {one.title}
            </button>
          ))}
        </div>
      </div>
      <div className="policy-body" role="tabpanel" aria-label={title}>
        <Suspense fallback={<p className="arriving">{SHARED.loading}</p>}>
          <Body />
        </Suspense>
      </div>
    </section>
  )
}

function step(event: KeyboardEvent<HTMLElement>): void {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')]
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (by === undefined) return
  event.preventDefault()
  const next =
    tabs[(tabs.indexOf(document.activeElement as HTMLElement) + by + tabs.length) % tabs.length]
  next?.focus()
  next?.click()
}
