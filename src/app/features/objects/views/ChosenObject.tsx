import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import type { KubeObject } from '../../../../engine/core/object'
import { Empty } from '../../../components/Empty'
import { pathOf } from '../../../state/discovery'
import { useMoment } from '../../../state/moment'
import type { SelectedObject } from '../../../state/view'
import type { Fold, Line } from '../../editor/object-lines'
import { YamlView } from '../../editor/YamlView'
import * as texts from '../shell-texts'
import { Facts } from './Facts'
import { useLiveObject } from './live'
import { ObjectActions } from './ObjectActions'
import { ObjectTabs } from './tabs/ObjectTabs'

const Reaches = lazy(() => import('../../access/Reaches'))

const RBAC_GROUP = 'rbac.authorization.k8s.io'

export default function ChosenObject({ selected }: { selected: SelectedObject }) {
  const { object, gone, failure } = useLiveObject(selected)
  const { resource, namespace, name } = selected
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
      {object ? (
        <ObjectTabs selected={selected} object={object} gone={gone}>
          {lines ? (
            <YamlView
              lines={lines}
              version={object.metadata.resourceVersion ?? ''}
              label={texts.asYaml(`${resource.kind} ${name}`)}
              onFold={fold}
            />
          ) : (
            <Empty>{texts.loading}</Empty>
          )}
        </ObjectTabs>
      ) : (
        <Empty>{gone ? missing : failure ? texts.notShown : texts.loading}</Empty>
      )}
    </>
  )
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
