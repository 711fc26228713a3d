import { useState } from 'react'
import type { QueryAttributes } from '../../../hosts/shared/access'
import { Empty } from '../../components/Empty'
import { FilterField } from '../../components/FilterField'
import { Icon } from '../../components/Icon'
import { Split } from '../../components/Split'
import { AsOf } from './AsOf'
import { Explanation } from './Explanation'
import type { GridFilter } from './grid'
import { NamespaceChoice } from './NamespaceChoice'
import { RightsTable } from './RightsTable'
import { SubjectPicker } from './SubjectPicker'
import { useAccess, useAccessQuery, useSubject } from './state'
import { RIGHTS, RISKS, riskCount, SHARED } from './texts'
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
          label={RIGHTS.namespace}
          value={namespace}
          onChoose={(chosen) => set({ namespace: chosen, explained: undefined })}
        />
        <AsOf />
        <FilterField
          label={RIGHTS.filter}
          hint={RIGHTS.filterHint}
          words={filter.words}
          onChange={(words) => setFilter({ ...filter, words })}
        />
        <button
          type="button"
          className="button quiet small"
          aria-pressed={filter.subresources}
          onClick={() => setFilter({ ...filter, subresources: !filter.subresources })}
        >
          {RIGHTS.subresources}
        </button>
        <button
          type="button"
          className="button quiet small"
          aria-pressed={filter.allowed}
          onClick={() => setFilter({ ...filter, allowed: !filter.allowed })}
        >
          {RIGHTS.allowed}
        </button>
        <span className="grow" />
        {warnings.length > 0 && (
          <button
            type="button"
            className="button small reaches"
            aria-pressed={warned}
            title={RISKS.about}
            onClick={() => setWarned(!warned)}
          >
            <Icon name="warning" size={14} /> {warnings.length}{' '}
            <span className="wide-only">{riskCount(warnings.length)}</span>
          </button>
        )}
      </div>
      <Split
        label={warned ? RISKS.title : RIGHTS.why}
        list={
          failure ? (
            <Empty icon="warning" title={RIGHTS.failed}>
              {failure}
            </Empty>
          ) : data === undefined ? (
            <Empty>{SHARED.loading}</Empty>
          ) : (
            <RightsTable
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
