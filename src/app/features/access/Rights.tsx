/**
 * Permissions of a subject: verbs by resources, now or at an earlier revision. A cell opens its
 * explanation.
 */
import { useMemo, useState } from 'react'
import type { Matrix, QueryAttributes } from '../../../hosts/shared/access'
import { Empty } from '../../components/Empty'
import { FilterField } from '../../components/FilterField'
import { Icon } from '../../components/Icon'
import { Split } from '../../components/Split'
import { useCluster } from '../../state/cluster'
import { Explanation } from './Explanation'
import { type GridFilter, LOOKS, pathGroups, resourceGroups } from './grid'
import { NamespaceChoice } from './NamespaceChoice'
import { RightsGrid } from './RightsGrid'
import { SubjectPicker } from './SubjectPicker'
import { useAccess, useAccessQuery, useSubject } from './state'
import { Warnings } from './Warnings'

const PATHS = [
  '/api',
  '/apis',
  '/healthz',
  '/livez',
  '/logs',
  '/metrics',
  '/openapi/v2',
  '/readyz',
  '/version',
]

export function Rights() {
  const subject = useSubject()
  const namespace = useAccess((state) => state.namespace)
  const revision = useAccess((state) => state.revision)
  const explained = useAccess((state) => state.explained)
  const set = useAccess((state) => state.set)
  const [filter, setFilter] = useState<GridFilter>({
    words: '',
    subresources: false,
    allowed: false,
  })
  const [warned, setWarned] = useState(false)
  const asOf = revision === undefined ? {} : { revision }
  const { data, failure } = useAccessQuery('accessMatrix', {
    subject,
    namespace,
    paths: PATHS,
    ...asOf,
  })
  const { data: warnings = [] } = useAccessQuery('accessWarnings', { subject, namespace, ...asOf })
  const open = (attributes: QueryAttributes) => {
    setWarned(false)
    set({ explained: attributes })
  }
  const detail = warned ? (
    <Warnings warnings={warnings} />
  ) : (
    explained && <Explanation attributes={explained} />
  )
  return (
    <>
      <div className="bar sub">
        <SubjectPicker />
        <NamespaceChoice
          label="Namespace"
          value={namespace}
          onChoose={(chosen) => set({ namespace: chosen, explained: undefined })}
        />
        <AsOf />
        <FilterField
          label="Filter resources"
          hint="Resource, group"
          words={filter.words}
          onChange={(words) => setFilter({ ...filter, words })}
        />
        <button
          type="button"
          className="button quiet small"
          aria-pressed={filter.subresources}
          onClick={() => setFilter({ ...filter, subresources: !filter.subresources })}
        >
          Subresources
        </button>
        <button
          type="button"
          className="button quiet small"
          aria-pressed={filter.allowed}
          onClick={() => setFilter({ ...filter, allowed: !filter.allowed })}
        >
          Allowed
        </button>
        <span className="grow" />
        {warnings.length > 0 && (
          <button
            type="button"
            className="button small reaches"
            aria-pressed={warned}
            title="Permissions that allow more than they seem to"
            onClick={() => setWarned(!warned)}
          >
            <Icon name="warning" size={14} /> {warnings.length}{' '}
            <span className="wide-only">{warnings.length === 1 ? 'reaches' : 'reach'} further</span>
          </button>
        )}
      </div>
      <Split
        label={warned ? 'Privilege-escalation risks' : 'Why'}
        list={
          failure ? (
            <Empty icon="warning" title="These permissions cannot be shown">
              {failure}
            </Empty>
          ) : data === undefined ? (
            <Empty>Loading …</Empty>
          ) : (
            <Table
              matrix={data}
              namespace={namespace}
              filter={filter}
              chosen={warned ? undefined : explained}
              onOpen={open}
            />
          )
        }
        detail={detail}
        onClose={() => {
          setWarned(false)
          set({ explained: undefined })
        }}
      />
    </>
  )
}

interface TableProps {
  matrix: Matrix
  namespace: string
  filter: GridFilter
  chosen: QueryAttributes | undefined
  onOpen(attributes: QueryAttributes): void
}

function Table({ matrix, namespace, filter, chosen, onOpen }: TableProps) {
  const groups = useMemo(
    () => resourceGroups(matrix, namespace, filter),
    [matrix, namespace, filter],
  )
  const paths = useMemo(() => pathGroups(matrix, filter), [matrix, filter])
  return (
    <>
      <div className="scroll">
        {groups.length + paths.length === 0 && (
          <Empty icon="filter">
            {filter.allowed && filter.words === '' ? 'No permissions.' : 'No matches.'}
          </Empty>
        )}
        {groups.length > 0 && (
          <RightsGrid
            label="Permissions on resources"
            columns={matrix.verbs}
            groups={groups}
            chosen={chosen}
            onOpen={onOpen}
          />
        )}
        {paths.length > 0 && (
          <RightsGrid
            label="Permissions on non-resource URLs"
            columns={matrix.pathVerbs}
            groups={paths}
            chosen={chosen}
            onOpen={onOpen}
          />
        )}
      </div>
      <footer className="rights-foot">
        {matrix.caveats.map(({ text }) => (
          <p key={text} className="note warn">
            {text}
          </p>
        ))}
        <ul className="rights-legend" aria-label="Legend">
          {Object.entries(LOOKS).map(([look, { sign, word }]) => (
            <li key={look}>
              <span className={`rights-sign ${look}`} aria-hidden="true">
                {sign}
              </span>
              {word}
            </li>
          ))}
          <li>
            <span className="rights-sign unserved" aria-hidden="true" />
            not served
          </li>
        </ul>
      </footer>
    </>
  )
}

/** Roles and bindings of an earlier revision. */
function AsOf() {
  const revision = useAccess((state) => state.revision)
  const set = useAccess((state) => state.set)
  const newest = useCluster((state) => state.revision)
  const [text, setText] = useState(revision === undefined ? '' : String(revision))
  const choose = (typed: string) => {
    setText(typed)
    const number = Number(typed)
    set({
      revision:
        typed.trim() === '' || !Number.isInteger(number) || number <= 0 ? undefined : number,
    })
  }
  return (
    <label className="as-of">
      <span className="soft">as of</span>
      <input
        className="field mono"
        inputMode="numeric"
        aria-label="As of revision"
        placeholder="now"
        title={`Roles and bindings as they stood at a revision; now is ${newest}`}
        value={revision === undefined ? text : String(revision)}
        onChange={(event) => choose(event.target.value)}
      />
    </label>
  )
}
