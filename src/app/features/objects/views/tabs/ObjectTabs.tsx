import '../../object-tabs.css'
import { type KeyboardEvent, type ReactNode, Suspense } from 'react'
import { Empty } from '../../../../components/Empty'
import { PanelButtons } from '../../../../components/PanelButtons'
import { useChosenInSight } from '../../../../components/tabs'
import { useView } from '../../../../state/view'
import * as texts from '../../shell-texts'
import { viewsOf } from './object-tabs'
import type { TabProps } from './tab-props'

const BODY = 'object-tab-body'

/** @param children the live YAML, the first view */
export function ObjectTabs({ children, ...shown }: TabProps & { children: ReactNode }) {
  const objectTab = useView((state) => state.objectTab)
  const set = useView((state) => state.set)
  const views = viewsOf(shown.object, shown.gone)
  // A view that this kind does not have becomes the first one.
  const { tab: chosen, Body } = views.find(({ tab }) => tab === objectTab) ?? { tab: 'now' }
  const list = useChosenInSight(chosen)
  return (
    <>
      <div className="object-tabs">
        <div
          className="tabs"
          ref={list}
          role="tablist"
          aria-label={texts.tabs}
          onKeyDown={stepTabs}
        >
          {views.map(({ tab, title }) => (
            <button
              key={tab}
              id={`object-tab-${tab}`}
              type="button"
              role="tab"
              className="tab"
              aria-selected={chosen === tab}
              aria-controls={BODY}
              tabIndex={chosen === tab ? 0 : -1}
              onClick={() => set({ objectTab: tab })}
            >
              {title}
            </button>
          ))}
        </div>
        <span className="grow" />
        <PanelButtons panel="object" title={texts.panel} />
      </div>
      <div
        id={BODY}
        className="object-body"
        role="tabpanel"
        aria-labelledby={`object-tab-${chosen}`}
      >
        {Body === undefined ? (
          children
        ) : (
          <Suspense fallback={<Empty>{texts.loading}</Empty>}>
            <Body {...shown} />
          </Suspense>
        )}
      </div>
    </>
  )
}

function stepTabs(event: KeyboardEvent<HTMLElement>): void {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')]
  const at = tabs.indexOf(event.target as HTMLElement)
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key]
  if (to === undefined) return
  event.preventDefault()
  const next = tabs[(to + tabs.length) % tabs.length]
  next?.focus()
  next?.click()
}
