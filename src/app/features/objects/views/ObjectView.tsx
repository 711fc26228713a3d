import { type KeyboardEvent, lazy, Suspense, useEffect, useMemo, useState } from 'react'
import type { KubeObject } from '../../../../engine/core/object'
import { Empty } from '../../../components/Empty'
import { HealthMark } from '../../../components/HealthMark'
import { PanelButtons } from '../../../components/PanelButtons'
import { pathOf } from '../../../state/discovery'
import { useMoment } from '../../../state/moment'
import { useHealth } from '../../../state/use-health'
import { type ObjectTab, type SelectedObject, useView } from '../../../state/view'
import type { Fold, Line } from '../../editor/object-lines'
import { YamlView } from '../../editor/YamlView'
import * as texts from '../shell-texts'
import { Facts } from './Facts'
import { useLiveObject } from './live'
import { ObjectActions } from './ObjectActions'

export function ObjectView() {
  const selected = useView((state) => state.selected)
  return (
    <aside className="panel object" aria-label={texts.object} data-pane="object">
      {selected ? (
        <Chosen
          key={`${selected.resource.group}/${selected.resource.resource}/${selected.namespace}/${selected.name}`}
          selected={selected}
        />
      ) : (
        <Empty icon="object" title={texts.noObject}>
          {texts.choose}
        </Empty>
      )}
    </aside>
  )
}

const History = lazy(() => import('./History'))

const Ownership = lazy(() => import('../../ownership/views/Ownership'))

const Wire = lazy(() => import('./Wire'))

const Reaches = lazy(() => import('../../access/Reaches'))

const RBAC_GROUP = 'rbac.authorization.k8s.io'

const TABS: { tab: ObjectTab; title: string }[] = [
  { tab: 'now', title: texts.yaml },
  { tab: 'ownership', title: texts.ownership },
  { tab: 'history', title: texts.history },
  { tab: 'wire', title: texts.wire },
]

function Chosen({ selected }: { selected: SelectedObject }) {
  const { object, gone, failure } = useLiveObject(selected)
  const { resource, namespace, name } = selected
  const tab = useView((state) => state.objectTab)
  const health = useHealth(selected)
  const past = useMoment(({ revision }) => revision !== undefined)
  const missing = `${resource.kind} ${name} ${past ? texts.notYet : texts.noLonger}.`
  const [unfolded, setUnfolded] = useState<ReadonlySet<Fold>>(new Set())
  const lines = useLines(object, unfolded)
  const fold = useMemo(() => (what: Fold) => setUnfolded((before) => toggled(before, what)), [])
  return (
    <>
      <div className="bar object-head">
        <h2 className="cut" title={pathOf(resource, namespace, name)}>
          <span className="kind">{resource.kind}</span> {name}
        </h2>
        {health && !gone && <HealthMark health={health} />}
        <span className="grow" />
        {object && <ObjectActions selected={selected} object={object} gone={gone} />}
      </div>
      {object && <Facts selected={selected} object={object} gone={gone} />}
      {object && resource.group === RBAC_GROUP && (
        <Suspense>
          <Reaches object={object} />
        </Suspense>
      )}
      {failure && (
        <p className="note bad" role="alert">
          {failure}
        </p>
      )}
      {object && <Tabs />}
      {object && tab === 'ownership' ? (
        <Suspense fallback={<Empty>{texts.loading}</Empty>}>
          <Ownership selected={selected} object={object} gone={gone} />
        </Suspense>
      ) : object && tab === 'history' ? (
        <Suspense fallback={<Empty>{texts.loading}</Empty>}>
          <History selected={selected} version={`${object.metadata.resourceVersion} ${gone}`} />
        </Suspense>
      ) : object && tab === 'wire' && !gone ? (
        <Suspense fallback={<Empty>{texts.loading}</Empty>}>
          <Wire selected={selected} version={object.metadata.resourceVersion ?? ''} />
        </Suspense>
      ) : lines && object ? (
        <YamlView
          lines={lines}
          version={object.metadata.resourceVersion ?? ''}
          label={texts.asYaml(`${resource.kind} ${name}`)}
          onFold={fold}
        />
      ) : (
        <Empty>{gone ? missing : failure ? texts.notShown : texts.loading}</Empty>
      )}
    </>
  )
}

function Tabs() {
  const objectTab = useView((state) => state.objectTab)
  const set = useView((state) => state.set)
  return (
    <div className="object-tabs">
      <div className="tabs" role="tablist" aria-label={texts.tabs} onKeyDown={stepTabs}>
        {TABS.map(({ tab, title }) => (
          <button
            key={tab}
            type="button"
            role="tab"
            className="tab"
            aria-selected={objectTab === tab}
            tabIndex={objectTab === tab ? 0 : -1}
            onClick={() => set({ objectTab: tab })}
          >
            {title}
          </button>
        ))}
      </div>
      <span className="grow" />
      <PanelButtons panel="object" title={texts.panel} />
    </div>
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

function toggled(set: ReadonlySet<Fold>, what: Fold): ReadonlySet<Fold> {
  const next = new Set(set)
  if (!next.delete(what)) next.add(what)
  return next
}

/** Loads the YAML library on demand. */
function useLines(object: KubeObject | undefined, unfolded: ReadonlySet<Fold>): Line[] | undefined {
  const [toLines, setToLines] = useState<typeof import('../../editor/object-lines').objectLines>()
  useEffect(() => {
    void import('../../editor/object-lines').then(({ objectLines }) =>
      setToLines(() => objectLines),
    )
  }, [])
  return useMemo(
    () => (object && toLines ? toLines(object, unfolded) : undefined),
    [object, toLines, unfolded],
  )
}
