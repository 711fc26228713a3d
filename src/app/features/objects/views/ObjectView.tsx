/** One object as it is now, or was at the moment that the page shows. */
import { type KeyboardEvent, lazy, Suspense, useEffect, useMemo, useState } from 'react'
import type { KubeObject } from '../../../../engine/core/object'
import { Empty } from '../../../components/Empty'
import { PanelButtons } from '../../../components/PanelButtons'
import { pathOf } from '../../../state/discovery'
import { useMoment } from '../../../state/moment'
import { type ObjectTab, type SelectedObject, useView } from '../../../state/view'
import type { Fold, Line } from '../../editor/object-lines'
import { YamlView } from '../../editor/YamlView'
import { Facts } from './Facts'
import { useLiveObject } from './live'
import { ObjectActions } from './ObjectActions'

export function ObjectView() {
  const selected = useView((state) => state.selected)
  return (
    <aside className="panel object" aria-label="Object" data-pane="object">
      {selected ? (
        <Chosen
          key={`${selected.resource.group}/${selected.resource.resource}/${selected.namespace}/${selected.name}`}
          selected={selected}
        />
      ) : (
        <Empty icon="object" title="No object selected">
          Select an object in the explorer to follow it live, or apply a manifest.
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
  { tab: 'now', title: 'Now' },
  { tab: 'ownership', title: 'Ownership' },
  { tab: 'history', title: 'History' },
  { tab: 'wire', title: 'Wire' },
]

function Chosen({ selected }: { selected: SelectedObject }) {
  const { object, gone, failure } = useLiveObject(selected)
  const { resource, namespace, name } = selected
  const tab = useView((state) => state.objectTab)
  const past = useMoment(({ revision }) => revision !== undefined)
  const missing = `${resource.kind} ${name} ${past ? "doesn't exist at this revision" : 'no longer exists'}.`
  const [unfolded, setUnfolded] = useState<ReadonlySet<Fold>>(new Set())
  const lines = useLines(object, unfolded)
  const fold = useMemo(() => (what: Fold) => setUnfolded((before) => toggled(before, what)), [])
  return (
    <>
      <div className="bar object-head">
        <h2 className="cut" title={pathOf(resource, namespace, name)}>
          <span className="kind">{resource.kind}</span> {name}
        </h2>
        <span className="grow" />
        {object && <ObjectActions selected={selected} object={object} gone={gone} />}
      </div>
      {object && <Facts object={object} gone={gone} />}
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
        <Suspense fallback={<Empty>Loading …</Empty>}>
          <Ownership selected={selected} object={object} gone={gone} />
        </Suspense>
      ) : object && tab === 'history' ? (
        <Suspense fallback={<Empty>Reading …</Empty>}>
          <History selected={selected} version={`${object.metadata.resourceVersion} ${gone}`} />
        </Suspense>
      ) : object && tab === 'wire' && !gone ? (
        <Suspense fallback={<Empty>Loading …</Empty>}>
          <Wire selected={selected} version={object.metadata.resourceVersion ?? ''} />
        </Suspense>
      ) : lines && object ? (
        <YamlView
          lines={lines}
          version={object.metadata.resourceVersion ?? ''}
          label={`${resource.kind} ${name} as YAML`}
          onFold={fold}
        />
      ) : (
        <Empty>{gone ? missing : failure ? "Can't be displayed." : 'Reading …'}</Empty>
      )}
    </>
  )
}

function Tabs() {
  const { objectTab, set } = useView()
  const past = useMoment(({ revision }) => revision !== undefined)
  return (
    <div className="object-tabs">
      <div className="tabs" role="tablist" aria-label="Views of the object" onKeyDown={stepTabs}>
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
            {past && tab === 'now' ? 'Then' : title}
          </button>
        ))}
      </div>
      <span className="grow" />
      <PanelButtons panel="object" title="object" />
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

/** Loads the YAML library when the first object is shown. */
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
