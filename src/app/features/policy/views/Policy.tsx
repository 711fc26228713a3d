/** The place of expressions, policies and definitions: tried out before they are in force. */
import './policy.css'
import { type ComponentType, type KeyboardEvent, lazy, Suspense } from 'react'
import { useChosenInSight } from '../../../components/tabs'
import { type PolicyTab, usePolicyView } from '../state'

const TABS: readonly { tab: PolicyTab; title: string; Body: ComponentType }[] = [
  { tab: 'bench', title: 'CEL playground', Body: lazy(() => import('./Bench')) },
  { tab: 'workbench', title: 'Policies', Body: lazy(() => import('./PolicyWorkbench')) },
  { tab: 'designer', title: 'CRDs', Body: lazy(() => import('./Designer')) },
]

export default function Policy() {
  const tab = usePolicyView((state) => state.tab)
  const show = usePolicyView((state) => state.show)
  const list = useChosenInSight(tab)
  const { Body, title } = TABS.find((one) => one.tab === tab) ?? (TABS[0] as (typeof TABS)[number])
  return (
    <section className="panel policy">
      <div className="bar policy-tabs">
        <div className="tabs" ref={list} role="tablist" aria-label="Policy" onKeyDown={step}>
          {TABS.map((one) => (
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
        <Suspense fallback={<p className="arriving">Loading …</p>}>
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
