import { useMemo } from 'react'
import type { Matrix, QueryAttributes } from '../../../hosts/shared/access'
import { Empty } from '../../components/Empty'
import { type GridFilter, LOOKS, pathGroups, resourceGroups } from './grid'
import { RightsGrid } from './RightsGrid'
import { RIGHTS } from './texts'

interface RightsTableProps {
  matrix: Matrix
  namespace: string
  filter: GridFilter
  chosen: QueryAttributes | undefined
  onOpen(attributes: QueryAttributes): void
}

export function RightsTable({ matrix, namespace, filter, chosen, onOpen }: RightsTableProps) {
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
            {filter.allowed && filter.words === '' ? RIGHTS.none : RIGHTS.noMatches}
          </Empty>
        )}
        {groups.length > 0 && (
          <RightsGrid
            label={RIGHTS.onResources}
            columns={matrix.verbs}
            groups={groups}
            chosen={chosen}
            onOpen={onOpen}
          />
        )}
        {paths.length > 0 && (
          <RightsGrid
            label={RIGHTS.onPaths}
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
        <ul className="rights-legend" aria-label={RIGHTS.legend}>
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
            {RIGHTS.notServed}
          </li>
        </ul>
      </footer>
    </>
  )
}
