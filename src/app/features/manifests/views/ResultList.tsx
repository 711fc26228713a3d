import { useDeferredValue, useMemo, useState } from 'react'
import { Empty } from '../../../components/Empty'
import { FilterField } from '../../../components/FilterField'
import { VirtualRows } from '../../../components/VirtualRows'
import type { LoggedRequest } from '../../../state/logged-request'
import { useRequests } from '../../../state/requests'
import type { Result } from '../run'
import * as texts from '../shell-texts'
import { ResultEntry } from './ResultEntry'

/** A document is its place in the file. */
interface Row {
  index: number
  result: Result
}

/** Fewer results fit a screen. */
const MANY = 12
/** Results from the first rejected one whose repairs are searched without a click. */
const REVIEWED = 3

export default function ResultList({ results }: { results: readonly Result[] }) {
  const [words, setWords] = useState('')
  const [failedOnly, setFailedOnly] = useState(false)
  const filter = useDeferredValue(words.trim().toLowerCase())
  const many = results.length > MANY
  const failed = useMemo(() => results.filter(({ ok }) => !ok).length, [results])
  const rows = useMemo(() => {
    const all = results.map((result, index): Row => ({ index, result }))
    if (!many) return all
    return all.filter(
      ({ result }) => (!failedOnly || !result.ok) && (filter === '' || holds(result, filter)),
    )
  }, [results, many, failedOnly, filter])
  const requests = useRequestsById()
  const firstFailed = results.findIndex(({ ok }) => !ok)
  return (
    <>
      {many && (
        <div className="bar sub">
          <FilterField
            label={texts.filterResults}
            hint={texts.filterResultsHint}
            words={words}
            onChange={setWords}
          />
          <button
            type="button"
            className="button quiet small"
            aria-pressed={failedOnly}
            onClick={() => setFailedOnly(!failedOnly)}
          >
            {texts.notOk} <span className="count">{failed}</span>
          </button>
        </div>
      )}
      {rows.length === 0 ? (
        <Empty icon="filter">{texts.noResultMatches}</Empty>
      ) : (
        <VirtualRows
          measured
          items={rows}
          keyOf={({ index }) => index}
          label={texts.responses}
          row={({ index, result }) => (
            <ResultEntry
              result={result}
              sent={result.request === undefined ? undefined : requests.get(result.request)}
              auto={index < firstFailed + REVIEWED}
            />
          )}
        />
      )}
    </>
  )
}

/** By audit ID. */
function useRequestsById(): ReadonlyMap<string, LoggedRequest> {
  const log = useRequests((state) => state.log)
  return useMemo(
    () => new Map(log.map((request) => [request.responseHeaders?.['audit-id'] ?? '', request])),
    [log],
  )
}

const holds = ({ what, outcome, message = '' }: Result, filter: string): boolean =>
  `${what} ${outcome} ${message}`.toLowerCase().includes(filter)
